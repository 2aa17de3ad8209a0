-- Loops whose array has true dependencies only.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  loop (#[true_dep] a) = replicate n 0 for i < n do
    a with [i] = x[i] * (if i == 0 then 1 else a[i - 1]) + f64.sin x[0]

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.sum (f x)) [0.7, -1.3, 2.1]]
