-- Inverse trigonometric functions at several points, and their second derivatives.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

entry main =
  [and (map (check_number f64.asin) [-0.7, 0, 0.4]),
   and (map (check_number f64.acos) [-0.7, 0, 0.4]),
   and (map (check_number f64.atan) [-5, 0, 0.4]),
   and (map (check_number f64.asinpi) [-0.7, 0, 0.4]),
   and (map (check_number f64.acospi) [-0.7, 0, 0.4]),
   and (map (check_number f64.atanpi) [-5, 0, 0.4]),
   and (map (\x -> check_hessian (\v -> f64.asin v[0]) [x]) [-0.7, 0, 0.4]),
   and (map (\x -> check_hessian (\v -> f64.acos v[0]) [x]) [-0.7, 0, 0.4]),
   and (map (\x -> check_hessian (\v -> f64.atan v[0]) [x]) [-5, 0, 0.4]),
   and (map (\x -> check_hessian (\v -> f64.asinpi v[0]) [x]) [-0.7, 0, 0.4]),
   and (map (\x -> check_hessian (\v -> f64.acospi v[0]) [x]) [-0.7, 0, 0.4]),
   and (map (\x -> check_hessian (\v -> f64.atanpi v[0]) [x]) [-5, 0, 0.4])]
