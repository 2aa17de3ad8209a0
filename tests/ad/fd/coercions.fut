-- Size coercions, ascriptions and existential sizes on active arrays.
-- ==
-- input { } output { [true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) =
  let y = filter (> 0) x
  let k = length y
  let y = y :> [k]f64
  let m = unflatten (sized (3 * k) (y ++ y ++ y))
  in f64.sum (map f64.product m) * f64.sum (sized k y)
def grow [n] (x: [n]f64) =
  let ys = loop ys = x[:1] for i < 3i64 do ys ++ map (* x[i]) ys
  in f64.sum (map f64.sin ys)

entry main =
  [check_scalar f [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar grow [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian grow [0.7, -1.3, 2.1, 0.4, -0.6]]
