-- Derivatives of derivatives of each construct.
-- ==
-- input { } output { [true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def inner [n] (f: [n]f64 -> f64) (x: [n]f64) = vjp f x 1
def sums [n] (x: [n]f64) = f64.sum (scan (+) 0 (map (** 3) x))
def chosen [n] (x: [n]f64) = f64.maximum x ** 2 * f64.minimum x
def counted [n] (x: [n]f64) = f64.sum (map (** 2) (hist (+) 0 2 (map (% 2) (iota n)) x))
def placed [n] (x: [n]f64) = f64.product (scatter (copy x) [1, 0] [x[0] * x[2], x[1] ** 2])
def looped [n] (x: [n]f64) = loop s = 1 for v in x do s * f64.sin v + v * v
def stepped [n] (x: [n]f64) = f64.sum (loop a = copy x for i in 1..<n do a with [i] = a[i - 1] * a[i])
def sorted [n] (x: [n]f64) = (reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip x x)).1

entry main =
  [check (inner sums) [0.7, -1.3, 2.1] && check_hessian sums [0.7, -1.3, 2.1],
   check (inner chosen) [0.7, -1.3, 2.1] && check_hessian chosen [0.7, -1.3, 2.1],
   check (inner counted) [0.7, -1.3, 2.1] && check_hessian counted [0.7, -1.3, 2.1],
   check (inner placed) [0.7, -1.3, 2.1] && check_hessian placed [0.7, -1.3, 2.1],
   check (inner looped) [0.7, -1.3, 2.1] && check_hessian looped [0.7, -1.3, 2.1],
   check (inner stepped) [0.7, -1.3, 2.1] && check_hessian stepped [0.7, -1.3, 2.1],
   check (inner sorted) [0.7, -1.3, 2.1] && check_hessian sorted [0.7, -1.3, 2.1]]
