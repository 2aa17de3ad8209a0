-- Exponentials and logarithms at several points, and their second derivatives.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

entry main =
  [and (map (check_number f64.exp) [-2, 0, 1.5]),
   and (map (check_number f64.log) [0.2, 1, 7]),
   and (map (check_number f64.log2) [0.2, 1, 7]),
   and (map (check_number f64.log10) [0.2, 1, 7]),
   and (map (check_number f64.log1p) [-0.7, 0, 3]),
   and (map (\x -> check_hessian (\v -> f64.exp v[0]) [x]) [-2, 0, 1.5]),
   and (map (\x -> check_hessian (\v -> f64.log v[0]) [x]) [0.2, 1, 7]),
   and (map (\x -> check_hessian (\v -> f64.log2 v[0]) [x]) [0.2, 1, 7]),
   and (map (\x -> check_hessian (\v -> f64.log10 v[0]) [x]) [0.2, 1, 7]),
   and (map (\x -> check_hessian (\v -> f64.log1p v[0]) [x]) [-0.7, 0, 3])]
