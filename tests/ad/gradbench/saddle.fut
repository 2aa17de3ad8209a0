-- A minimum of maxima: the outer derivative goes through the inner solver.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def descend (f: [2]f64 -> f64) (grad: ([2]f64 -> f64) -> [2]f64 -> [2]f64) (x: [2]f64) =
  loop x for _i < 30i32 do map2 (\x g -> x - 0.2 * g) x (grad f x)
def rev (f: [2]f64 -> f64) (x: [2]f64) = vjp f x 1
def fwd (f: [2]f64 -> f64) (x: [2]f64) = [jvp f x [1, 0], jvp f x [0, 1]]
def payoff (x: [2]f64) (y: [2]f64) = x[0] ** 2 + x[1] ** 2 + 0.5 * x[0] * y[0] - y[0] ** 2 - y[1] ** 2
def inner g (x: [2]f64) = payoff x (descend (\y -> -(payoff x y)) g [1, 1])
def ff = descend (inner fwd) fwd [1, 1]
def rr = descend (inner rev) rev [1, 1]
def fr = descend (inner rev) fwd [1, 1]
def rf = descend (inner fwd) rev [1, 1]
def same [n] (a: [n]f64) (b: [n]f64) = and (map2 (close 1e-9) a b)

entry main =
  [same ff rr,
   same fr rf,
   same ff rf,
   f64.maximum (map f64.abs rr) < 1e-4]
