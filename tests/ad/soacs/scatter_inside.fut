-- Scatters inside maps and loops.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = flatten (map (\a -> scatter (map (* a) x) [2, 0] [a * a, x[1]]) x)
def g [n] (x: [n]f64) =
  loop a = copy x for i < 3i64 do scatter a [i, (i + 1) % n] [a[0] * a[1], f64.sin a[2]]

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1]]
