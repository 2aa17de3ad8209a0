-- Loops whose length depends on the data.
-- ==
-- input { } output { [true, true, true, true, true] }
import "lib/fd"

def newton [n] (x: [n]f64) =
  (loop (y, d) = (1, 1) while f64.abs d > 1e-12 do
     let d = (y * y - x[0]) / (2 * y) in (y - d, d)).0
def halve [n] (x: [n]f64) =
  (loop v = map (* 10) x while f64.sum (map f64.abs v) > 1 do map (\a -> a / 2 + 0.001 * a * a) v)
def never [n] (x: [n]f64) = loop a = x[0] while a > 1000 do a * a

entry main =
  [check_scalar newton [2],
   check_scalar newton [9],
   check halve [0.3, 0.8, -0.2],
   check_scalar never [3],
   check_hessian newton [2]]
