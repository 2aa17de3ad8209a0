-- Irregular maps.
-- ==
-- input { } output { [true, true] }
import "lib/fd"

def expand [n] (x: [n]f64) =
  let g v = let k = filter (< v + 3) [0, 1, 2, 3] in (map (\j -> v ** 2 + j) k, f64.sin v)
  let (_, _, _, data, uniform) = flatmap g x
  in [f64.sum (map (\d -> d * d) data), f64.sum uniform]
def plain [n] (x: [n]f64) =
  let g v = filter (> 0) [v, -v, v + 1]
  let (_, _, offsets, data) = flatmap' g x
  in f64.sum (map2 (*) data (map f64.i64 (indices data))) + f64.i64 offsets[1]

entry main =
  [check expand [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar plain [0.7, -1.3, 2.1, 0.4, -0.6]]
