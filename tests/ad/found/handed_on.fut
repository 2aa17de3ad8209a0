-- A map of the return sweep that hands on an accumulator and does nothing else to it.
-- ==
-- input { } output { [true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let k = x[0]
  let compose (a, b) (c, d) = (a * c, b * c + d)
  in map (\_ -> (reduce compose (1, 0) (zip (replicate n k) x)).0) (iota n)

entry main = [check_hessian (\x -> f64.sum (f x)) [0.7, -0.3, 0.2]]
