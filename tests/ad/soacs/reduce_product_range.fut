-- Products that leave the range of numbers on the way.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = f64.product x
def near [n] (a: [n]f64) (b: [n]f64) = and (map2 (\p q -> f64.abs (p - q) <= 1e-9 * (f64.abs q + 1e-300)) a b)

entry main =
  [near (vjp f [1e-200, 1e-200, 1e200] 1) [1, 1, 0],
   near (vjp f [1e150, 1e-150, 3] 1) [3e-150, 3e150, 1]]
