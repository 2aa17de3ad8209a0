-- Loops over the elements of an active array, also of records and rows.
-- ==
-- input { } output { [true, true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) = loop s = 1 for v in x do s * v + f64.sin v
def rows [n] (x: [n]f64) =
  loop acc = replicate n 1 for r in [x, map f64.exp x, reverse x] do map2 (*) acc r
def recs [n] (x: [n]f64) =
  loop s = 0 for {a, b} in map (\v -> {a = v, b = v * v}) x do s * a + b

entry main =
  [check_scalar f [0.7, -1.3, 2.1, 0.4, -0.6],
   check rows [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar recs [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian recs [0.3, 0.8, -0.2]]
