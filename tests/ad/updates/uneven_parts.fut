-- Updates of parts whose sizes differ from one iteration to the next: slices, blocks, scatters, bins,
-- and loops in loops.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def slice [n] (x: [n]f64) =
  loop a = copy x for i < n do a with [i:] = map (\v -> v * v * a[0] * 0.3) (drop i a)
def sized [n] (x: [n]f64) =
  loop a = copy x for i < n do
    let k = i64.f64 (f64.abs a[i] * 3) % n
    in a with [k:n] = map (\v -> f64.sin (v * a[i])) a[k:n]
def strided [n] (x: [n]f64) =
  loop a = copy x for i < n do
    let part = a[i::2]
    in a with [i::2] = map (\v -> v * v * 0.5 + a[0]) part
def matrix [n] (x: [n]f64) : *[3][3]f64 = tabulate_2d 3 3 (\i j -> x[(i * 2 + j) % n] + f64.sin (x[i % n] * f64.i64 j))
def block [n] (x: [n]f64) =
  flatten (loop m = matrix x for i < 3i64 do
    m with [i:, i:] = map (map (\v -> v * v * 0.4 * m[i, 0])) m[i:, i:])
def lower [n] (x: [n]f64) =
  flatten (loop m = matrix x for i < 3i64 do
    m with [:, 0:i + 1] = map (map (\v -> f64.cos (v * m[0, i]))) m[:, 0:i + 1])
def scattered [n] (x: [n]f64) =
  loop a = copy x for i < 4i64 do
    let is = filter (\j -> (j + i) % 3 != 0) (iota n)
    in scatter a is (map (\j -> a[j] * a[(j + 1) % n]) is)
def bins [n] (x: [n]f64) =
  loop a = copy x for i < 4i64 do
    let is = map (% n) (iota (i * 2))
    in reduce_by_index a (*) 1 is (map (\j -> f64.sin a[j]) is)
def nest [n] (x: [n]f64) =
  flatten (loop m = matrix x for p < 3i64 do
    loop m for i in p..<3 do
      loop m for j in p..<3 do m with [i, j] = f64.sin (m[i, j] * m[p, 0] + m[j, i]))
def triangle [n] (x: [n]f64) =
  flatten (loop m = matrix x for _k < 2i64 do
    loop m for i in 1..<3i64 do
      loop m for j < i do m with [i, j] = f64.sin (m[i, j] * m[j, i] + m[i - 1, j]))
def upwards [n] (x: [n]f64) =
  flatten (loop m = matrix x for p < 3i64 do
    loop m for i in p..p - 1...0 do
      loop m for j < 3i64 - p do m with [i, j] = f64.sin (m[i, j] * m[p, 0] + m[j, i]))

def at = [0.7, -1.3, 2.1, 0.4, -0.6]
entry main =
  [check slice at, check sized at, check strided at, check block at, check lower at,
   check scattered at, check bins at, check nest at, check triangle at, check upwards at]
