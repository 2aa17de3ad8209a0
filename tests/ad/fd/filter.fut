-- Filters and partitions, whose sizes come from the data.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) = let y = filter (> 0) x in f64.product y * f64.sum (map f64.sin y)
def parts [n] (x: [n]f64) =
  let (a, b) = partition (> 0.5) x
  in f64.sum (map (** 2) a) * f64.product b
def three [n] (x: [n]f64) =
  let (a, b, c) = partition2 (> 1) (> 0) x
  in [f64.sum a, f64.product b, f64.sum (map f64.exp c)]
def pairs [n] (x: [n]f64) =
  let ys = filter (\(v, _) -> v > 0) (zip x (rotate 1 x))
  in f64.sum (map (\(a, b) -> a * b) ys)
def whole [n] (x: [n]f64) = filter (> -100) x :> [n]f64

entry main =
  [check_scalar f [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar parts [0.7, -1.3, 2.1, 0.4, -0.6],
   check three [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar pairs [0.7, -1.3, 2.1, 0.4, -0.6],
   check whole [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian f [0.7, -1.3, 2.1, 0.4, -0.6]]
