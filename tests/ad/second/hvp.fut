-- Hessians times vectors, in forward over reverse and reverse over forward.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = f64.sum (map2 (\a b -> f64.sin (a * b)) x (rotate 1 x)) * f64.product x
def x = [0.7, -1.3, 2.1, 0.4]
def v = [1, -0.5, 0.25, 2f64]
def a = jvp (\y -> vjp f y 1) x v
def b = vjp (\y -> jvp f y v) x 1
def c = vjp (\y -> vjp f y 1) x v
def same [n] (p: [n]f64) (q: [n]f64) = and (map2 (close 1e-10) p q)

entry main =
  [same a b,
   same a c,
   check_hessian f x]
