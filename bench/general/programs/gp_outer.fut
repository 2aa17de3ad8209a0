-- The marginal likelihood of a Gaussian process: the right-looking factorisation, where each step takes
-- an outer product off the whole matrix; the right-hand side goes along as a further row.
entry primal [n][d] (x: [n][d]f64) (y: [n]f64) (hyper: [2]f64) : f64 =
  let inverse = f64.exp (-2 * hyper[0])
  let noise2 = f64.exp (2 * hyper[1])
  let dist a b = f64.sum (map (\(u, v) -> (u - v) ** 2) (zip a b))
  let k = map (\a -> map (\b -> f64.exp (-0.5 * inverse * dist a b)) x) x
  let k = map2 (\i row -> map2 (\j v -> if i == j then v + noise2 else v) (iota n) row) (iota n) k
  let (_, _, fit, det) =
    loop (a, b, fit, det) = (k, y, 0, 0) for j < n do
      let pivot = a[j, j]
      let column = map (\i -> if i > j then a[i, j] / pivot else 0) (iota n)
      let a' = map2 (\c row -> map2 (\v r -> v - c * r) row a[j]) column a
      let b' = map2 (\c v -> v - c * b[j]) column b
      in (a', b', fit + b[j] * b[j] / pivot, det + 0.5 * f64.log pivot)
  in -0.5 * fit - det - 0.5 * f64.i64 n * f64.log (2 * f64.pi)

entry gradient [n][d] (x: [n][d]f64) (y: [n]f64) (hyper: [2]f64) : ([n][d]f64, [n]f64, [2]f64) =
  vjp (\(x, y, hyper) -> primal x y hyper) (x, y, hyper) 1
