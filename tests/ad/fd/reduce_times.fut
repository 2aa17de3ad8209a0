-- Products with no, one and two zeros.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) = f64.product x
def g [n] (x: [n]f64) = 3 * reduce (*) 1 x

entry main =
  [check_scalar f [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar f [0.7, 0, 2.1],
   check_scalar f [0, 0.3, 0],
   check_scalar f [0],
   check_scalar g [0.7, 0, 2.1],
   check_hessian f [0.7, -1.3, 2.1],
   check_hessian f [0.7, 0, 2.1],
   check_hessian f [0.7, 0, 0]]
