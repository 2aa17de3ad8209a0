-- Functions of two numbers at several points.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

entry main =
  [and (map (\(a, b) -> check_scalar (\v -> f64.atan2 v[0] v[1]) [a, b]) [(0.4, 0.8), (-0.4, 0.8), (0.4, -0.8), (-0.4, -0.8), (2, 0.3)]),
   and (map (\(a, b) -> check_scalar (\v -> f64.atan2pi v[0] v[1]) [a, b]) [(0.4, 0.8), (-0.4, 0.8), (0.4, -0.8), (-0.4, -0.8), (2, 0.3)]),
   and (map (\(a, b) -> check_scalar (\v -> f64.hypot v[0] v[1]) [a, b]) [(0.4, 0.8), (-0.4, 0.8), (0.4, -0.8), (-0.4, -0.8), (2, 0.3)]),
   and (map (\(a, b) -> check_scalar (\v -> f64.max v[0] v[1]) [a, b]) [(0.4, 0.8), (-0.4, 0.8), (0.4, -0.8), (-0.4, -0.8), (2, 0.3)]),
   and (map (\(a, b) -> check_scalar (\v -> f64.min v[0] v[1]) [a, b]) [(0.4, 0.8), (-0.4, 0.8), (0.4, -0.8), (-0.4, -0.8), (2, 0.3)]),
   and (map (\(a, b) -> check_scalar (\v -> f64.copysign v[0] v[1]) [a, b]) [(0.4, 0.8), (-0.4, 0.8), (0.4, -0.8), (-0.4, -0.8), (2, 0.3)]),
   and (map (\(a, b) -> check_scalar (\v -> v[0] / v[1]) [a, b]) [(0.4, 0.8), (-3, 2), (3, -2)]),
   and (map (\(a, b) -> check_scalar (\v -> v[0] * v[1] - v[1]) [a, b]) [(0.4, 0.8), (-3, 2), (3, -2)]),
   and (map (\(a, b) -> check_scalar (\v -> v[0] ** v[1]) [a, b]) [(0.4, 0.8), (3, -2), (2.5, 3)]),
   and (map (\a -> check_scalar (\v -> v[0] % 0.7) [a]) [0.4, 2, -3]),
   and (map (\a -> check_scalar (\v -> f64.ldexp v[0] 3 + f64.ldexp v[0] (-2)) [a]) [0.4, 2, -3])]
