-- Scans inside maps, maps of scans inside scans of maps.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = flatten (map (\a -> scan (\p q -> p + q - 0.1 * a * p * q) 0 x) x)
def g [n] (x: [n]f64) =
  let m = map (\a -> scan (*) 1 (map (* a) x)) x
  in flatten (transpose (map (scan (+) 0) (transpose m)))

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, 1.3, 1.1]]
