-- The logarithms of the determinants of many small matrices m m^T + n, each factorised in place.
def factorise [n] (a: *[n][n]f64) : *[n][n]f64 =
  loop a for j < n do
    let a[j, j] = f64.sqrt a[j, j]
    let a = loop a for i in j + 1..<n do a with [i, j] = a[i, j] / a[j, j]
    in loop a for i in j + 1..<n do
         loop a for k in j + 1..<i + 1 do
           a with [i, k] = a[i, k] - a[i, j] * a[k, j]

def logdet [n] (m: [n][n]f64) : f64 =
  let a =
    tabulate_2d n n (\i j -> f64.sum (map2 (*) m[i] m[j]) + (if i == j then f64.i64 n else 0))
  let l = factorise a
  in 2 * f64.sum (map (\i -> f64.log l[i, i]) (iota n))

entry primal [b][n] (ms: [b][n][n]f64) : f64 = f64.sum (map logdet ms) / f64.i64 b

entry gradient [b][n] (ms: [b][n][n]f64) : [b][n][n]f64 = vjp primal ms 1
