-- Maps of several arrays, nested maps, maps with tuple results.
-- ==
-- input { } output { [true, true, true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) =
  let (a, b) = unzip (map3 (\a b c -> (a * b + c, f64.sin (a * c))) x (reverse x) (rotate 1 x))
  in a ++ b
def g [n] (x: [n]f64) =
  map (\v -> f64.sum (map (\w -> f64.product (map (\u -> u + v * w) x)) x)) x
def h [n] (x: [n]f64) = flatten (map (\i -> map (\v -> v * f64.i64 i + x[i]) x) (iota n))
def five [n] (x: [n]f64) = map5 (\a b c d e -> a * b - c * d + e ** 2) x x (reverse x) (rotate 1 x) x

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check g [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1],
   check five [0.7, -1.3, 2.1, 0.4, -0.6],
   check (map f64.sin) []]
