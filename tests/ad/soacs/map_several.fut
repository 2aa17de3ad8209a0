-- Maps over several arrays, with several results.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let (a, b) = unzip (map2 (\p q -> (p * q, p / (q * q + 1))) x (reverse x))
  in a ++ b
def g [n] (x: [n]f64) = map3 (\a b c -> a * b * c) x (rotate 1 x) (rotate 2 x)
def h [n] (x: [n]f64) =
  let (a, b, c) = unzip3 (map (\v -> (v, v * v, v ** 3)) x)
  in map4 (\p q r s -> p * q + r * s) a b c x

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check g [0.7, -1.3, 2.1, 0.4, -0.6],
   check h [0.7, -1.3, 2.1, 0.4, -0.6]]
