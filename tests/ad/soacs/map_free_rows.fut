-- Rows of free matrices read in maps.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let m = map (\a -> map (* a) x) x
  in map (\i -> f64.sum m[i] * m[(i + 1) % n, 0]) (iota n)
def g [n] (x: [n]f64) =
  let m = map (\a -> map (+ a) x) x
  in map (\i -> f64.product m[:, i]) (iota n)

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check_hessian (\x -> f64.sum (g x)) [0.7, -1.3, 2.1]]
