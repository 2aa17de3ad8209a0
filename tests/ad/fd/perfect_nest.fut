-- A perfect nest of maps with a free array read in the innermost one.
-- ==
-- input { } output { [true] }
import "lib/fd"

def f [n] (x: [n]f64) : []f64 =
  let xss = [x, map (* 2) x, map f64.sin x]
  let yss = map (\xs -> map (\x1 -> map (\x2 -> x1 * x2 + x[0]) xs) xs) xss
  in flatten_3d yss

entry main =
  [check f [0.7, -1.3, 2.1]]
