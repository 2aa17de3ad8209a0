-- Scans of small matrices and of rows.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def mul2 (a, b, c, d) (e, f, g, h) : (f64, f64, f64, f64) =
  (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
def tuples [n] (x: [n]f64) =
  scan mul2 (1, 0, 0, 1) (map (\v -> (v, 1, f64.sin v, 0.5)) x) |> map (\(a, b, c, d) -> a + 2 * b + 3 * c + 4 * d)
def rows [n] (x: [n]f64) =
  flatten (scan (map2 (+)) (replicate n 0) (map (\a -> map (* a) x) x))
def general [n] (x: [n]f64) =
  flatten (scan (map2 (\a b -> a + b - 0.2 * a * b)) (replicate n 0) (map (\a -> map (* a) x) x))

entry main =
  [check tuples [0.7, -1.3, 2.1, 0.4, -0.6],
   check rows [0.7, -1.3, 2.1],
   check general [0.7, -1.3, 2.1]]
