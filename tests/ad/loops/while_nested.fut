-- While loops in maps, in loops, and with arrays in place.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = map (\v -> loop s = v while s < 5 do s * 1.7 + v * v) x
def g [n] (x: [n]f64) =
  loop s = 0.5 for v in x do loop t = s while t < 2 do t + 0.4 * v * v + 0.1
def h [n] (x: [n]f64) =
  let (a, _) =
    loop (a, i) = (copy x, 0) while i < 4 && a[0] < 9 do
      (a with [i % n] = a[i % n] * a[(i + 1) % n] + 1, i + 1)
  in a

entry main =
  [check f [0.7, 1.3, 1.1],
   check_scalar g [0.7, 1.3, 1.1],
   check h [0.7, 1.3, 1.1]]
