-- In-place loops inside of maps inside of loops over the rows.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  flatten (loop m = replicate 2 x for _k < 2i32 do
    map (\r -> loop a = copy r for i in 1..<n do a with [i] = a[i] * a[i - 1] + 0.1 * x[i]) m)

entry main =
  [check f [0.7, -1.3, 2.1],
   check_hessian (\x -> f64.sum (f x)) [0.7, -1.3, 2.1]]
