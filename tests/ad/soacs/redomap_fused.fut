-- What fusion makes one loop of.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = f64.sum (map f64.sin (map (* 2) (map (+ 1) x)))
def g [n] (x: [n]f64) =
  let y = map f64.exp x
  in f64.sum y * f64.maximum (map (* 0.5) y) + f64.sum (map2 (*) y x)
def h [n] (x: [n]f64) = scan (+) 0 (map f64.sin (scan (+) 0 (map f64.cos x)))

entry main =
  [check_scalar f [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar g [0.7, -1.3, 2.1, 0.4, -0.6],
   check h [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian g [0.7, -1.3, 2.1]]
