-- Maps into reductions and scans inside maps, with free active values.
-- ==
-- input { } output { [true, true, true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) = map (\v -> reduce (+) v (map (* v) x)) x
def g [n] (x: [n]f64) = map (\v -> last (scan (\a b -> a * b) 1 (map (+ v) x))) x
def h [n] (x: [n]f64) = map (\v -> f64.maximum (map (\w -> f64.sin (v * w)) x)) x
def free_op [n] (x: [n]f64) = reduce (\a b -> a + b + 0 * x[0]) 0 x * reduce (\a b -> a * b * 1) x[1] x
def op_free [n] (x: [n]f64) =
  let k = x[0] * x[1]
  in scan (\a b -> a + b + k * a * b) 0 x

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1],
   check_scalar free_op [0.7, -1.3, 2.1],
   check op_free [0.7, -1.3, 2.1]]
