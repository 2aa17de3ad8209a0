-- Functions of three numbers at several points.
-- ==
-- input { } output { [true, true, true, true] }
import "lib/fd"

entry main =
  [check_scalar (\v -> f64.lerp v[0] v[1] v[2]) [0.4, 0.8, 0.3],
   check_scalar (\v -> f64.fma v[0] v[1] v[2]) [0.4, 0.8, 0.3],
   check_scalar (\v -> f64.mad v[0] v[1] v[2]) [0.4, -0.8, 2.3],
   check_hessian (\v -> f64.fma v[0] v[1] v[2]) [0.4, 0.8, 0.3]]
