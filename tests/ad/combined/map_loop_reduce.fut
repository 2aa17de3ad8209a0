-- Loops around maps around reductions around loops.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  loop y = x for i < 3i64 do
    map (\v -> reduce (\a b -> a + b - 0.1 * a * b) 0 (map (\w -> loop s = w for _j < i do s * 0.5 + v) y)) y

entry main =
  [check f [0.7, -1.3, 2.1],
   check_hessian (\x -> f64.sum (f x)) [0.7, -1.3, 2.1]]
