-- Histograms into arrays that depend on the input.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def is n = map (\i -> i % 3) (iota n)
def sum [n] (x: [n]f64) = reduce_by_index (map (* 2) (take 3 x)) (+) 0 (is n) x
def product [n] (x: [n]f64) = reduce_by_index (map f64.sin (take 3 x)) (*) 1 (is n) x
def least [n] (x: [n]f64) = reduce_by_index (copy (take 3 x)) f64.min f64.highest (is n) (map (** 2) x)
def rows [n] (x: [n]f64) =
  flatten (reduce_by_index (replicate 2 x) (map2 (+)) (replicate n 0) (map (% 2) (iota n)) (map (\a -> map (* a) x) x))

entry main =
  [check sum [0.7, -1.3, 2.1, 0.4, -0.6],
   check product [0.7, -1.3, 2.1, 0.4, -0.6],
   check least [0.7, -1.3, 2.1, 0.4, -0.6],
   check rows [0.7, -1.3, 2.1]]
