-- What a loop carries without changing, and what it only counts.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let (y, s, _) = loop (y, s, k) = (map f64.sin x, 0, 0) for i < n do (y, s + y[i] * x[(i + k) % n], k + 1)
  in map (* s) y
def g [n] (x: [n]f64) = (loop (a, b) = (x, x) for _i < 3i32 do (a, map2 (*) a b)).1

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1]]
