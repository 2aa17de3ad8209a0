-- Signs and rounding, away from their jumps at several points, and their second derivatives.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

entry main =
  [and (map (check_number f64.abs) [-2, 3]),
   and (map (check_number f64.neg) [-2, 3]),
   and (map (check_number f64.sgn) [-2, 3]),
   and (map (check_number f64.ceil) [-1.3, 0.6]),
   and (map (check_number f64.floor) [-1.3, 0.6]),
   and (map (check_number f64.round) [-1.3, 0.6]),
   and (map (\x -> check_hessian (\v -> f64.abs v[0]) [x]) [-2, 3]),
   and (map (\x -> check_hessian (\v -> f64.neg v[0]) [x]) [-2, 3]),
   and (map (\x -> check_hessian (\v -> f64.sgn v[0]) [x]) [-2, 3]),
   and (map (\x -> check_hessian (\v -> f64.ceil v[0]) [x]) [-1.3, 0.6]),
   and (map (\x -> check_hessian (\v -> f64.floor v[0]) [x]) [-1.3, 0.6]),
   and (map (\x -> check_hessian (\v -> f64.round v[0]) [x]) [-1.3, 0.6])]
