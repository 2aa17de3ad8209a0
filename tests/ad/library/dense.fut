-- The library on top of the operators: gradients, Jacobians, Hessians.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"
import "/prelude/derivatives"
module single = mk_derivatives f32

def f [n] (x: [n]f64) : [3]f64 = [f64.product x, f64.sum (map f64.sin x), x[0] / x[1]]
def g [n] (x: [n]f64) : f64 = f64.sum (map2 (*) (f x) [1, 2, 3])
def wide (x: [2]f64) : [4]f64 = [x[0], x[1] ** 2, x[0] * x[1], 5]

def x = [0.7, 1.3, -0.4, 2.1]
def v = [1.0, -0.5, 0.25, 2.0]
def same [n] (a: [n]f64) (b: [n]f64) = and (map2 (close 1e-12) a b)

entry main =
  [close 1e-12 (derivative f64.exp 1) f64.e,
   same (grad g x) (vjp g x 1),
   (\(y, d) -> y == g x && same d (grad g x)) (value_and_grad g x),
   close_matrix 1e-12 (jacobian_forward f x) (jacobian_reverse f x),
   close_matrix 2e-5 (jacobian f x) (differences f x),
   close_matrix 2e-5 (jacobian wide [0.7, 1.3]) (differences wide [0.7, 1.3]),
   same (hvp g x v) (map (dot v) (hessian g x)),
   close_matrix 1e-4 (hessian g x) (differences (grad g) x),
   single.grad (\(a, r: {k: f32}) -> a * r.k) (2, {k = 3}) == (3, {k = 2})]
