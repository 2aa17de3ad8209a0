-- A while loop whose condition reads a histogram.
-- ==
-- input { } output { [true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let (h, _) = loop (h, i) = (replicate 2 0.1, 0) while f64.maximum h < 3 && i < 20 do
    (reduce_by_index (copy h) (+) 0 (map (% 2) (iota n)) (map (\v -> 0.3 * v * v + 0.05 * h[0]) x), i + 1)
  in h

entry main =
  [check f [0.7, -1.3, 2.1]]
