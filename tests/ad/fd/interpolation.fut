-- Table lookup with active positions and active tables.
-- ==
-- input { } output { [true] }
import "lib/fd"

def at [n] (table: [n]f64) (t: f64) =
  let i = i64.max 0 (i64.min (n - 2) (i64.f64 (f64.floor t)))
  let w = t - f64.i64 i
  in (1 - w) * table[i] + w * table[i + 1]
def f [n] (x: [n]f64) = map (\t -> at (map f64.exp x) t) (map (\v -> 1.3 + v) x)

entry main =
  [check f [0.1, -0.4, 0.35, 1.2]]
