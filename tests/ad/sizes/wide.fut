-- Many dimensions.
-- ==
-- input { } output { [true] }
import "../fd/lib/fd"

def f (x: [2]f64) =
  let a = map (\p -> map (\q -> map (\r -> map (\s -> p * q + r * s) x) x) x) x
  let b = map (map transpose) (map transpose a)
  in map (\c -> f64.sum (flatten (map flatten c))) (map (map (map (scan (*) 1))) b)

entry main =
  [check f [0.7, -1.3]]
