-- Scatters and histograms in loops, with what they overwrite read before.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def few [n] (x: [n]f64) =
  loop a = copy x for i < 4i64 do
    scatter a [i % n, n, (i + 2) % n] [a[0] * a[1], a[2], f64.sin a[(i + 1) % n]]
def twice [n] (x: [n]f64) =
  loop a = copy x for i < 3i64 do scatter a [i, i, -1] [a[1] * x[0], a[1] * x[0], a[2]]
def two [n] (x: [n]f64) =
  flatten (loop m = replicate 3 x for i < 3i64 do
    scatter_2d m [(i, (i + 1) % n), (7, 0)] [m[(i + 1) % 3, 0] * m[i, 1], m[0, 0]])
def rows [n] (x: [n]f64) =
  flatten (loop m = replicate 4 x for i < 3i64 do scatter m [i + 1] [map2 (*) m[i] x])
def greatest [n] (x: [n]f64) =
  loop h = map (* 0.5) x for i < 3i64 do
    reduce_by_index h f64.max f64.lowest [i % n, (i + 1) % n] [h[0] * x[i % n] + 0.3, h[2] ** 2]
def product [n] (x: [n]f64) =
  loop h = copy x for i < 3i64 do reduce_by_index h (*) 1 [i % n, 0] [h[1] + 1, f64.sin h[(i + 1) % n]]
def maybe [n] (x: [n]f64) =
  loop a = copy x for i < 4i64 do
    if a[i % n] > 0.5 then scatter a [0, 1] [a[1], a[0] * a[2]] else a with [0] = a[0] + 1

entry main =
  [check few [0.7, 1.3, 1.1],
   check twice [0.7, 1.3, 1.1],
   check two [0.7, 1.3, 1.1],
   check rows [0.7, 1.3, 1.1],
   check greatest [0.7, 1.3, 1.1],
   check product [0.7, 1.3, 1.1],
   check maybe [0.7, 1.3, 1.1],
   check_hessian (\x -> f64.sum (few x)) [0.7, 1.3, 1.1],
   check_hessian (\x -> f64.sum (product x)) [0.7, 1.3, 1.1],
   check_hessian (\x -> f64.sum (maybe x)) [0.7, 1.3, 1.1]]
