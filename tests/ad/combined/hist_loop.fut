-- Histograms in loops over moving indices.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  loop h = replicate 3 1 for i < 3i64 do
    reduce_by_index h (*) 1 (map (\j -> (j + i) % 3) (iota n)) (map (\v -> 1 + 0.1 * f64.sin v) x)
def g [n] (x: [n]f64) = loop h = replicate 3 0 for i < 3i64 do reduce_by_index h (+) 0 (map (\j -> (j * i) % 4) (iota n)) (map (* (h[0] + 1)) x)

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check (\x -> copy (g x)) [0.7, -1.3, 2.1, 0.4, -0.6]]
