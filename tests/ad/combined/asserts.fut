-- Assertions, traces and attributes do not stand in the way.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = assert (n > 0) (map (\v -> #[opaque] (v * v)) x)
def g [n] (x: [n]f64) = #[sequential] map (\v -> #[unsafe] x[0] * v) x
def h [n] (x: [n]f64) = let y = #[scratch] replicate n 0 in scatter y (iota n) (map f64.sin x)

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1]]
