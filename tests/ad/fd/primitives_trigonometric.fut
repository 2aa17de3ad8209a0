-- Trigonometric functions at several points, and their second derivatives.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

entry main =
  [and (map (check_number f64.sin) [-2, 0, 1.5]),
   and (map (check_number f64.cos) [-2, 0.1, 1.5]),
   and (map (check_number f64.tan) [-1, 0, 1.2]),
   and (map (check_number f64.sinpi) [-0.3, 0, 0.8]),
   and (map (check_number f64.cospi) [-0.3, 0.1, 0.8]),
   and (map (check_number f64.tanpi) [-0.3, 0, 0.2]),
   and (map (\x -> check_hessian (\v -> f64.sin v[0]) [x]) [-2, 0, 1.5]),
   and (map (\x -> check_hessian (\v -> f64.cos v[0]) [x]) [-2, 0.1, 1.5]),
   and (map (\x -> check_hessian (\v -> f64.tan v[0]) [x]) [-1, 0, 1.2]),
   and (map (\x -> check_hessian (\v -> f64.sinpi v[0]) [x]) [-0.3, 0, 0.8]),
   and (map (\x -> check_hessian (\v -> f64.cospi v[0]) [x]) [-0.3, 0.1, 0.8]),
   and (map (\x -> check_hessian (\v -> f64.tanpi v[0]) [x]) [-0.3, 0, 0.2])]
