-- Closures, sections, operators of the user under derivatives.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def (<+>) (a: f64) (b: f64) = a + b - a * b
def f [n] (x: [n]f64) = let scale k = map (k *) in scale x[0] (scale x[1] x)
def g [n] (x: [n]f64) = reduce (<+>) 0 x
def h [n] (x: [n]f64) = map (`f64.atan2` 2) (map (2 -) x)
def k [n] (x: [n]f64) = map (.0) (map (\v -> (v * v, v)) x)

entry main =
  [check f [0.7, -1.3, 2.1],
   check_scalar g [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1],
   check k [0.7, -1.3, 2.1]]
