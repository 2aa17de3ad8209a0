-- foldl, foldr, tabulate, iterate and their kin.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true] }
import "lib/fd"

entry main =
  [check_scalar (foldl (\a b -> a * b + f64.sin b) 1) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar (foldr (\a b -> a * b + f64.sin b) 1) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar (\x -> f64.sum (tabulate 3 (\i -> x[i] ** 2 * x[0]))) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar (\x -> f64.sum (flatten (tabulate_2d 2 3 (\i j -> x[i] * x[j])))) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar (\x -> f64.sum (flatten_3d (tabulate_3d 2 1 3 (\i j k -> x[i] * x[j] + x[k])))) [0.7, -1.3, 2.1, 0.4, -0.6],
   check (iterate 4 (map (\v -> v * v - 0.3))) [0.7, -1.3, 2.1, 0.4, -0.6],
   check (\x -> iterate_until (\v -> f64.sum (map f64.abs v) < 1) (map (* 0.6)) x) [0.7, -1.3, 2.1, 0.4, -0.6],
   check (\x -> iterate_while (\v -> f64.sum (map f64.abs v) > 1) (map (* 0.6)) x) [0.7, -1.3, 2.1, 0.4, -0.6]]
