-- Roots and reciprocals at several points, and their second derivatives.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true] }
import "lib/fd"

entry main =
  [and (map (check_number f64.recip) [0.4, -1.7, 3]),
   and (map (check_number f64.sqrt) [0.2, 1.7, 9]),
   and (map (check_number f64.rsqrt) [0.2, 1.7, 9]),
   and (map (check_number f64.cbrt) [0.2, -1.7, 9]),
   and (map (\x -> check_hessian (\v -> f64.recip v[0]) [x]) [0.4, -1.7, 3]),
   and (map (\x -> check_hessian (\v -> f64.sqrt v[0]) [x]) [0.2, 1.7, 9]),
   and (map (\x -> check_hessian (\v -> f64.rsqrt v[0]) [x]) [0.2, 1.7, 9]),
   and (map (\x -> check_hessian (\v -> f64.cbrt v[0]) [x]) [0.2, -1.7, 9])]
