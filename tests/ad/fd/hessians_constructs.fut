-- Hessians through loops, scans, scatters, histograms, branches and filters.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

entry main =
  [check_hessian (\x -> loop a = 1 for v in x do f64.sin (a * v)) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> loop a = x[0] while a < 50 do a * a + x[1]) [1.2, 0.7],
   check_hessian (\x -> f64.sum (map (** 2) (scan (+) 0 x))) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.sum (map f64.exp (scan (\a b -> a + b + a * b) 0 x))) [0.2, 0.3, -0.1],
   check_hessian (\x -> f64.sum (map (** 3) (scatter (map f64.sin x) [1, 0] [x[0], x[2] * x[1]]))) [0.2, 0.3, -0.1],
   check_hessian (\x -> f64.product (hist (+) 0 2 [0, 1, 0] (map f64.exp x))) [0.2, 0.3, -0.1],
   check_hessian (\x -> f64.sum (hist (*) 1 2 [0, 1, 0] (map f64.exp x))) [0.2, 0.3, -0.1],
   check_hessian (\x -> if x[0] > 0 then x[0] ** 2 * x[1] else x[1] ** 3) [0.2, 0.3],
   check_hessian (\x -> f64.product (filter (> 0) x)) [0.2, 0.3, -0.1, 0.9],
   check_hessian (\x -> f64.sum (loop a = copy x for i in 1..<3 do a with [i] = a[i] * a[i - 1] ** 2)) [0.2, 0.3, -0.1],
   check_hessian (\x -> f64.sum (reduce (map2 (*)) (replicate 2 1) (map (\v -> [v, v * v]) x))) [0.2, 0.3, -0.1],
   check_hessian (\x -> f64.maximum (map (\v -> v * v * x[0]) x)) [0.2, 0.3, -0.1]]
