-- Conditionals on active values, nested, with arrays of different origin.
-- ==
-- input { } output { [true, true, true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) = map (\v -> if v > 0 then if v > 1 then v ** 2 else f64.sin v else f64.exp v) x
def arrays [n] (x: [n]f64) =
  let y = if x[0] > 0 then map (* x[1]) x else reverse x
  in if x[1] > 0 then map2 (*) x y else rotate 1 y
def sizes [n] (x: [n]f64) =
  let y = if x[0] > 0 then x[1:] else x ++ x
  in f64.sum (map f64.sin y)

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check arrays [0.7, -1.3, 2.1, 0.4, -0.6],
   check arrays [-1, 2, 3],
   check_scalar sizes [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar sizes [-1, 2, 3]]
