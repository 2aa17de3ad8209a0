-- Hessians of many small functions.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

entry main =
  [check_hessian (\x -> x[0] ** 3 * x[1] ** 2) [1.2, -0.7],
   check_hessian (\x -> f64.exp (x[0] * x[1]) / (1 + x[0] ** 2)) [0.2, -0.7],
   check_hessian (\x -> f64.sqrt (f64.sum (map (** 2) x))) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.log (f64.sum (map f64.exp x))) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.sum (map2 (\a b -> 100 * (b - a * a) ** 2 + (1 - a) ** 2) (init x) (tail x))) [0.7, 1.1, 0.4],
   check_hessian (\x -> f64.sum (map f64.tanh (map (\v -> v * x[0]) x))) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.atan2 x[0] x[1]) [0.4, -0.8],
   check_hessian (\x -> f64.hypot x[0] x[1]) [0.4, -0.8],
   check_hessian (\x -> x[0] ** x[1]) [1.4, 0.8],
   check_hessian (\x -> f64.erf (x[0] * x[1])) [0.4, 0.8],
   check_hessian (\x -> f64.lerp x[0] x[1] x[2]) [0.4, 0.8, 0.3],
   check_hessian (\x -> f64.cbrt x[0] * f64.rsqrt x[1]) [0.4, 0.8]]
