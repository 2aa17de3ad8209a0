-- Elimination in place, determinants by it.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def lu [n] (a: *[n][n]f64) : *[n][n]f64 =
  loop a for k < n do
    loop a for i in k + 1..<n do
      let a[i, k] = a[i, k] / a[k, k]
      in loop a for j in k + 1..<n do
        let a[i, j] = a[i, j] - a[i, k] * a[k, j]
        in a
def matrix [n] (x: [n]f64) =
  map (\i -> map (\j -> if i == j then 3 + x[i] else f64.sin (x[i] + 2 * x[j])) (iota n)) (iota n)
def det [n] (x: [n]f64) = let m = lu (matrix x) in f64.product (map (\i -> m[i, i]) (iota n))

entry main =
  [check (\x -> flatten (lu (matrix x))) [0.7, -1.3, 2.1],
   check_scalar det [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian det [0.7, -1.3, 2.1]]
