-- Neutral elements that depend on the input: nothing unless the array is empty.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = reduce f64.max x[0] (filter (> 100) x)
def g [n] (x: [n]f64) = reduce (+) 0 (filter (> 100) x) + x[1]

entry main =
  [check_scalar f [0.7, -1.3, 2.1],
   check_scalar g [0.7, -1.3, 2.1]]
