-- Products with none, one and several zeros, to second order.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = f64.product x
def g [n] (x: [n]f64) = f64.product (map (\v -> v * v - v) x)

entry main =
  [check_scalar f [2, 3, 4],
   check_scalar f [2, 0, 4],
   check_scalar f [0, 3, 0],
   check_scalar f [0, 0, 0],
   check_hessian f [2, 3, 4],
   check_hessian f [2, 0, 4],
   check_hessian f [0, 3, 0, 2],
   check_hessian f [0, 0, 0],
   check_scalar g [1, 0, 2],
   check_hessian g [1, 0.5, 2]]
