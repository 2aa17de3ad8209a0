-- Functions of three numbers.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def three (f: f64 -> f64 -> f64 -> f64) (x: [3]f64) = check (\x -> [f x[0] x[1] x[2]]) x && check_hessian (\x -> f x[0] x[1] x[2]) x

entry main =
  [three f64.fma [1.3, 0.4, -2],
   three f64.mad [1.3, 0.4, -2],
   three f64.lerp [1.3, 0.4, 0.3]]
