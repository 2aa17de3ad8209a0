-- Second derivatives of scans.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = f64.sum (map2 (*) (scan (*) 1 x) (scan (+) 0 x))
def g [n] (x: [n]f64) =
  let ys = scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip (map f64.sin x) x)
  in f64.sum (map (\(a, b) -> a * b) ys)
def h [n] (x: [n]f64) = f64.sum (scan (\a b -> a + b + x[0] * a * b) 0 x)

entry main =
  [check_hessian f [0.7, -1.3, 2.1],
   check_hessian g [0.7, -1.3, 2.1],
   check_hessian h [0.7, -1.3, 2.1]]
