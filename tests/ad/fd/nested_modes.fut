-- Derivatives of functions that themselves use vjp or jvp.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "lib/fd"

def grad [n] (f: [n]f64 -> f64) (x: [n]f64) = vjp f x 1
def f [n] (x: [n]f64) = f64.product x + f64.sin (x[0] * x[1])
def norm [n] (x: [n]f64) = f64.sum (map (** 2) (grad f x))
def hvp [n] (x: [n]f64) = jvp (grad f) x (map f64.cos x)
def third [n] (x: [n]f64) = vjp (\y -> f64.sum (map2 (*) (hvp y) x)) x 1
def step [n] (x: [n]f64) = loop y = x for _i < 3 do map2 (\a g -> a - 0.1 * g) y (grad f y)
def newton [n] (x: [n]f64) = loop y = x[0] for _i < 3 do y - (y ** 3 - x[1]) / jvp (\z -> z ** 3) y 1

entry main =
  [check_scalar norm [0.7, -1.3, 2.1],
   check hvp [0.7, -1.3, 2.1],
   check third [0.7, -1.3, 2.1],
   check step [0.7, -1.3, 2.1],
   check_scalar newton [1.1, 2.5],
   check_hessian norm [0.7, -1.3, 2.1]]
