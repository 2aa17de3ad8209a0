-- The function of two variables, products and sines.
-- ==
-- input { } output { [true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) = x[0] * x[1] + f64.sin x[0]

entry main =
  [check_scalar f [0.5, 4.2],
   check_scalar f [-2, 0.1],
   check_hessian f [0.5, 4.2]]
