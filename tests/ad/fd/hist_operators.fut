-- Histograms with products (zeros included), extrema and other operators.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

def is : [5]i64 = [0, 2, 0, 2, -1]
def with_op [n] (op: f64 -> f64 -> f64) (ne: f64) (x: [n]f64) =
  reduce_by_index (map (+ 0.25) x[:3]) op ne is (x :> [5]f64)
def affine [n] (x: [n]f64) =
  let op (a, b) (c, d) = (a * c, b * c + a * d)
  let (a, b) = unzip (reduce_by_index (replicate 3 (2, x[0])) op (1, 0) is (map (\v -> (v, v * v)) (x :> [5]f64)))
  in a ++ b

entry main =
  [check (with_op (*) 1) [0.7, -1.3, 2.1, 0.4, -0.6],
   check (with_op (*) 1) [0, -1.3, 2.1, 0, 3],
   check (with_op (*) 1) [0, -1.3, 0, 0.5, 3],
   check (with_op f64.max (-f64.inf)) [0.7, -1.3, 2.1, 0.4, -0.6],
   check (with_op f64.min f64.inf) [0.7, -1.3, 2.1, 0.4, -0.6],
   check (with_op f64.hypot 0) [0.7, 1.3, 2.1, 0.4, 0.6],
   check affine [0.7, -1.3, 2.1, 0.4, -0.6],
   check (hist (*) 1 2 [0, 1, 0]) [0, 2, 3],
   check (hist f64.max (-100) 4 [0, 1, 0, 3]) [1, 2, 3, 4],
   check_hessian (\x -> f64.sum (with_op (*) 1 x)) [0.7, -1.3, 2.1, 0.4, -0.6]]
