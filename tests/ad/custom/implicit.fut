-- An implicit function: the derivative of a root without that of the iteration.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

-- y with y + k y^3 = x
def solve (k: f64) : f64 -> f64 =
  with_vjp (\x -> loop y = x for _i < 40i32 do y - (y + k * y ** 3 - x) / (1 + 3 * k * y * y)) (\y a -> a / (1 + 3 * k * y * y))

entry main =
  [check_number (solve 0.5) 1.3,
   check_scalar (\x -> f64.sum (map (solve 2) x)) [0.7, 1.3]]
