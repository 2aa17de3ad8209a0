-- Perturbations of different derivatives do not mix.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "../fd/lib/fd"

def d (f: f64 -> f64) (x: f64) = jvp f x 1
def r (f: f64 -> f64) (x: f64) = vjp f x 1

entry main =
  [d (\x -> x * d (\y -> x + y) 1) 1 == 1,
   r (\x -> x * r (\y -> x + y) 1) 1 == 1,
   d (\x -> x * r (\y -> x * y) 2) 3 == 6,
   r (\x -> x * d (\y -> x * y) 2) 3 == 6,
   d (\x -> d (\y -> d (\z -> x * y * z) x) x) 2 == 1,
   d (\x -> f64.sum (map (\k -> d (\y -> x * y * k) 1) [1, 2, 3])) 5 == 6]
