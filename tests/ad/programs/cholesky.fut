-- A Cholesky factorisation in place, log-determinant and solve.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def chol [n] (a: *[n][n]f64) : *[n][n]f64 =
  loop a for j < n do
    let d = f64.sqrt (a[j, j] - f64.sum (map (** 2) a[j, :j]))
    let a[j, j] = d
    in loop a for i in j + 1..<n do
      let v = (a[i, j] - f64.sum (map2 (*) a[i, :j] a[j, :j])) / d
      in a with [i, j] = v
def matrix [n] (x: [n]f64) = map (\i -> map (\j -> (if i == j then 4 else 0) + f64.sin (x[i] * x[j])) (iota n)) (iota n)
def logdet [n] (x: [n]f64) = let l = chol (matrix x) in 2 * f64.sum (map (\i -> f64.log l[i, i]) (iota n))

entry main =
  [check_scalar logdet [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian logdet [0.7, -1.3, 2.1]]
