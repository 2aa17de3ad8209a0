-- Recursive functions with arrays and several results.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def tree (d: i64) (x: []f64) : f64 = if d == 0 then f64.sum x else f64.sin (tree (d - 1) (map (* 0.5) x)) * tree (d - 1) (reverse x) + x[d - 1]
def pair (k: i64) (a: f64) (b: f64) : (f64, f64) = if k == 0 then (a, b) else let (c, d) = pair (k - 1) (a * b) (a + b) in (d, c * 0.5)
def f [n] (x: [n]f64) = let (a, b) = pair 4 x[0] x[1] in a * b * x[2]

entry main =
  [check_scalar (tree 3) [0.7, -1.3, 2.1],
   check_scalar f [0.7, -1.3, 2.1],
   check_hessian (tree 2) [0.7, -1.3, 2.1]]
