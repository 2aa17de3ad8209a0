-- Tabulate in one to three dimensions, and spread.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = flatten_3d (tabulate_3d 2 n 2 (\i j k -> x[j] * f64.i64 (i + 1) + x[(j + k) % n] ** 2))
def g [n] (x: [n]f64) = flatten (tabulate_2d n n (\i j -> if i < j then x[i] * x[j] else 0))
def h [n] (x: [n]f64) = spread 7 x[0] [1, 3, 9] (take 3 x)

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1]]
