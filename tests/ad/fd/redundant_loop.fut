-- A loop whose intermediate values are needed again.
-- ==
-- input { } output { [true, true] }
import "lib/fd"

def f [n] (x: [n]f64) =
  loop y = x[0] for i < 7 do y * x[1] + f64.sin (y + f64.i64 i)

entry main =
  [check_scalar f [0.5, 0.9],
   check_hessian f [0.5, 0.9]]
