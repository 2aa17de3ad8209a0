-- Branches in loops that take different ways in different iterations.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = loop s = x[0] for v in x do if s < v then s * v else s - v * v
def g [n] (x: [n]f64) =
  loop a = copy x for i < 2 * n do
    if a[i % n] > 0 then a with [i % n] = a[i % n] * x[0] else map (+ 0.5) a
def h [n] (x: [n]f64) =
  loop a = x for i < 4i64 do match i % 3 case 0 -> reverse a case 1 -> map (* x[1]) a case _ -> rotate 1 a

entry main =
  [check_scalar f [0.7, -1.3, 2.1, 0.4, -0.6],
   check g [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1]]
