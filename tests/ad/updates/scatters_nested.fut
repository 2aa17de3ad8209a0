-- Scatters in inner loops and in the lambdas of maps around them.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def inner [n] (x: [n]f64) =
  loop a = copy x for i < 3i64 do
    loop a for j < 2i64 do scatter a [(i + j) % n] [a[i % n] * a[j] + x[1]]
def mapped [n] (x: [n]f64) =
  flatten (map (\v -> loop a = map (* v) x for i < 3i64 do scatter a [i % n, n] [a[0] * a[2], v]) x)

entry main =
  [check inner [0.7, 1.3, 1.1],
   check mapped [0.7, 1.3, 1.1],
   check_hessian (\x -> f64.sum (inner x)) [0.7, 1.3, 1.1]]
