-- While loops that count their iterations up to a limit: logs of just so many states.
-- ==
-- entry: limits
-- input { 1.5 [0.5, 1.0, 2.0, 3.5] }
-- output {
--   1118.0292585457057f64
--   1118.0292585457062f64
--   1707.8910870247032f64
-- }

def newton (most: i64 -> bool) (p: f64) (x: f64) : f64 =
  (loop (v, d, i) = (x, 1, 0i64) while f64.abs d > 1e-9 && most i do
     let d = (v * v * v + p * v - x) / (3 * v * v + p)
     in (v - d, d, i + 1)).0

-- Counted from below zero, up to and including, with the condition first.
def others (p: f64) (x: f64) : f64 =
  let a = (loop (v, i) = (x, -3i32) while i <= 4 && v > 0.1 do (v * p / 2, i + 1)).0
  let b = (loop (v, i) = (x, 7i8) while v < 50 && i < 9 do (v + p * v, 1 + i)).0
  -- runs once although the limit is below
  let c = (loop (v, i, go) = (x, 5i64, true) while go do (f64.sin (v * p), i + 1, i + 1 < 3)).0
  -- no counter of its own; counted in twos; a limit that is too high to keep room for
  let d = (loop (v, i) = (x, 0i64) while v < 9 && i < 40 do (v + p, i + 2)).0
  let e = (loop (v, i) = (x, 0i64) while v < 9 && i < 1000000 do (v + p * v, i + 1)).0
  in a + b * c + d * e

entry limits [n] (p: f64) (xs: [n]f64) =
  let f p = f64.sum (map (\x -> newton (< 40) p x + newton (< 1) p x * newton (< 0) p x + others p x) xs)
  in (vjp f p 1, jvp f p 1, jvp (\p -> vjp f p 1) p 1)
