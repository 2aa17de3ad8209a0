-- Branches that give arrays: old, new, views.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = let y = if x[0] > 0 then x else map (* 2) x in let z = if x[1] > 0 then y[::-1] else rotate 1 y in map2 (*) y z
def g [n] (x: [n]f64) = map (\v -> let r = if v > 0 then map (* v) x else x in f64.sum r * r[0]) x
def h [n] (x: [n]f64) = (if x[0] > 5 then [x, x] else [map f64.sin x, reverse x])[1]

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check g [0.7, -1.3, 2.1, 0.4, -0.6],
   check h [0.7, -1.3, 2.1, 0.4, -0.6]]
