-- Hyperbolic functions and their inverses at several points, and their second derivatives.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

entry main =
  [and (map (check_number f64.sinh) [-2, 0, 1.5]),
   and (map (check_number f64.cosh) [-2, 0.1, 1.5]),
   and (map (check_number f64.tanh) [-2, 0, 0.4]),
   and (map (check_number f64.asinh) [-2, 0, 1.5]),
   and (map (check_number f64.acosh) [1.5, 4]),
   and (map (check_number f64.atanh) [-0.7, 0, 0.4]),
   and (map (\x -> check_hessian (\v -> f64.sinh v[0]) [x]) [-2, 0, 1.5]),
   and (map (\x -> check_hessian (\v -> f64.cosh v[0]) [x]) [-2, 0.1, 1.5]),
   and (map (\x -> check_hessian (\v -> f64.tanh v[0]) [x]) [-2, 0, 0.4]),
   and (map (\x -> check_hessian (\v -> f64.asinh v[0]) [x]) [-2, 0, 1.5]),
   and (map (\x -> check_hessian (\v -> f64.acosh v[0]) [x]) [1.5, 4]),
   and (map (\x -> check_hessian (\v -> f64.atanh v[0]) [x]) [-0.7, 0, 0.4])]
