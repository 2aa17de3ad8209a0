-- Log-sum-exp: the gradient is the softmax.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def lse [n] (x: [n]f64) = let m = f64.maximum x in m + f64.log (f64.sum (map (\v -> f64.exp (v - m)) x))
def softmax [n] (x: [n]f64) = let e = map f64.exp x in map (/ f64.sum e) e
def same [n] (a: [n]f64) (b: [n]f64) = and (map2 (close 1e-12) a b)

entry main =
  [same (vjp lse [0.7, -1.3, 2.1, 0.4, -0.6] 1) (softmax [0.7, -1.3, 2.1, 0.4, -0.6]),
   check_scalar lse [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian lse [0.7, -1.3, 2.1],
   same (vjp lse [1000, 1001] 1) (softmax [0, 1])]
