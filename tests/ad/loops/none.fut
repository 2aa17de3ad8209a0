-- Loops of no iteration.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = loop s = x[0] ** 2 for i < n - 3 do s * x[i]
def g [n] (x: [n]f64) = loop a = copy x for i < 0i64 do a with [i] = 0
def h [n] (x: [n]f64) = loop s = x[1] while s > 100 do s * x[0]
def k [n] (x: [n]f64) = loop s = x[1] for v in filter (> 100) x do s * v

entry main =
  [check_scalar f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check_scalar h [0.7, -1.3, 2.1],
   check_scalar k [0.7, -1.3, 2.1]]
