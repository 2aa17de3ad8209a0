-- Error and gamma functions at several points, and their second derivatives.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "lib/fd"

entry main =
  [and (map (check_number f64.erf) [-1.2, 0, 0.4]),
   and (map (check_number f64.erfc) [-1.2, 0, 0.4]),
   and (map (check_number f64.gamma) [0.7, 2.5, 5]),
   and (map (check_number f64.lgamma) [0.7, 2.5, 5]),
   and (map (\x -> check_hessian (\v -> f64.erf v[0]) [x]) [-1.2, 0, 0.4]),
   and (map (\x -> check_hessian (\v -> f64.erfc v[0]) [x]) [-1.2, 0, 0.4])]
