-- Operators that contain reductions and loops of their own.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def op (a: [2]f64) (b: [2]f64) = [a[0] * b[0], a[1] * b[0] + b[1]]
def f [n] (x: [n]f64) = flatten (scan op [1, 0] (map (\v -> [v, f64.sin v]) x))
def g [n] (x: [n]f64) = reduce op [1, 0] (map (\v -> [v, x[0]]) x)
def power (k: i64) (a: f64) = loop p = 1 for _i < k do p * a
def h [n] (x: [n]f64) = reduce (\a b -> (power 3 a + power 3 b) ** (1 / 3)) 0 x

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check_scalar h [0.7, 1.3, 1.1],
   check_hessian (\x -> f64.sum (g x)) [0.7, -1.3, 2.1]]
