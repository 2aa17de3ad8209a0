-- Sums, of numbers, pairs and vectors.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "lib/fd"

def pairs [n] (x: [n]f64) =
  let (a, b) = reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map (\v -> (v, v * v)) x)
  in a * b
def vectors [n] (x: [n]f64) =
  reduce (map2 (+)) (replicate 3 0) (map (\v -> [v, f64.exp v, v ** 3]) x)

entry main =
  [check_scalar f64.sum [0.7, -1.3, 2.1],
   check_scalar (reduce_comm (+) 0) [0.7, -1.3, 2.1],
   check_scalar pairs [0.7, -1.3, 2.1, 0.4, -0.6],
   check vectors [0.7, -1.3, 2.1],
   check_scalar f64.sum [],
   check_hessian pairs [0.7, -1.3, 2.1, 0.4, -0.6]]
