-- Filter and partition: what is kept and where it goes.
-- ==
-- input { } output { [true, true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = f64.sum (map (** 3) (filter (> 0.5) x))
def g [n] (x: [n]f64) =
  let (a, b) = partition (> 0) x
  in f64.product a * f64.sum (map f64.sin b)
def h [n] (x: [n]f64) =
  let (a, b, c) = partition2 (> 1) (> 0) x
  in f64.sum a * f64.sum b - f64.sum c
def k [n] (x: [n]f64) = f64.sum (map2 (*) (take 2 (filter (> 0.3) x)) [x[0], x[1]])

entry main =
  [check_scalar f [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar g [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar h [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar k [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian g [0.7, -1.3, 2.1, 0.4, -0.6]]
