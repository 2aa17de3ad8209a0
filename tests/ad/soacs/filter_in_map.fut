-- Filters whose sizes differ from row to row.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = map (\a -> f64.sum (filter (< a) (map (* a) x))) x
def g [n] (x: [n]f64) = map (\a -> f64.product (map f64.sin (filter (>= a) x))) x

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check g [0.7, -1.3, 2.1, 0.4, -0.6]]
