-- Orthogonal bases of small matrices by Gram-Schmidt in place, and least squares with them.
def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)

def solve [m] [k] (a: [m][k]f64) (b: [m]f64) : [k]f64 =
  let (q, r) =
    loop (q, r) = (copy (transpose a), replicate k (replicate k 0))
    for j < k do
      let (v, r) =
        loop (v, r) = (copy q[j], r)
        for i < j do
          let s = dot q[i] v
          in (map2 (\x y -> x - s * y) v q[i], r with [i, j] = s)
      let l = f64.sqrt (dot v v)
      let r = r with [j, j] = l
      in (q with [j] = map (/ l) v, r)
  let c = map (dot b) q
  in loop x = replicate k 0
     for t < k do
       let i = k - 1 - t
       let s = loop s = c[i] for j in i + 1..<k do s - r[i, j] * x[j]
       in x with [i] = s / r[i, i]

entry primal [n] [m] [k] (a: [n][m][k]f64) (b: [n][m]f64) : f64 =
  f64.sum (map2 (\a b -> let x = solve a b in dot x x) a b) / f64.i64 n

entry gradient [n] [m] [k] (a: [n][m][k]f64) (b: [n][m]f64) : ([n][m][k]f64, [n][m]f64) =
  vjp (\(a, b) -> primal a b) (a, b) 1
