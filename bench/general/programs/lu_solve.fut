-- A linear system by LU factorisation in place (Doolittle, with slices), then substitution forwards
-- and backwards; the square of the solution.
def lu [n] (a: [n][n]f64) : [n][n]f64 =
  loop m = copy a for k < n do
    let m =
      loop m for j in k..<n do
        m with [k, j] = m[k, j] - f64.sum (map2 (*) m[k, :k] m[:k, j])
    in loop m for i in k + 1..<n do
         m with [i, k] = (m[i, k] - f64.sum (map2 (*) m[i, :k] m[:k, k])) / m[k, k]

entry primal [n] (a: [n][n]f64) (b: [n]f64) : f64 =
  let m = lu a
  let y = loop y = copy b for i < n do y with [i] = y[i] - f64.sum (map2 (*) m[i, :i] y[:i])
  let x =
    loop x = y for q < n do
      let i = n - 1 - q
      in x with [i] = (x[i] - f64.sum (map2 (*) m[i, i + 1:] x[i + 1:])) / m[i, i]
  in f64.sum (map (\v -> v * v) x)

entry gradient [n] (a: [n][n]f64) (b: [n]f64) : ([n][n]f64, [n]f64) =
  vjp (\(a, b) -> primal a b) (a, b) 1
