-- Histograms in two dimensions.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  flatten (reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 (map (\i -> (i % 2, i / 2)) (iota n)) (map (** 2) x))
def g [n] (x: [n]f64) =
  flatten (reduce_by_index_2d (replicate 2 (take 2 x)) (*) 1 (map (\i -> (i % 2, (i / 2) % 2)) (iota n)) x)

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check g [0.7, 1.3, 1.1, 0.4, 1.6]]
