-- General operators with free variables: these count once per application.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = reduce (\a b -> a + b + x[0] * a * b) 0 x
def g [n] (x: [n]f64) =
  let w = f64.product x
  in reduce (\a b -> a + b + w * a * b) 0 (map f64.sin x)
def h [n] (x: [n]f64) =
  (reduce (\(a, b) (c, d) -> (a * c, b * c + d * x[1] / x[1])) (1, 0) (zip x (reverse x))).1

entry main =
  [check_scalar f [0.7, -1.3, 2.1],
   check_scalar g [0.7, -1.3, 2.1],
   check_scalar h [0.7, -1.3, 2.1],
   check_hessian f [0.7, -1.3, 2.1]]
