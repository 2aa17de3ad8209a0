-- Operators on pairs whose parts depend on each other, or not.
-- ==
-- input { } output { [true, true, true, true, true] }
import "../fd/lib/fd"

def both [n] (x: [n]f64) =
  let (s, m) = reduce (\(a, b) (c, d) -> (a + c, f64.max b d)) (0, f64.lowest) (zip x (map f64.sin x))
  in s * m
def moments [n] (x: [n]f64) =
  let (s, q) = reduce (\(a, b) (c, d) -> (a + c, b + d + a * c)) (0, 0) (map (\v -> (v, 0)) x)
  in [s, q]
def complex [n] (x: [n]f64) =
  let (a, b) = reduce (\(a, b) (c, d) -> (a * c - b * d, a * d + b * c)) (1, 0) (zip x (reverse x))
  in [a, b]
def softmax [n] (x: [n]f64) =
  let op (m, s) (k, t) = let c = f64.max m k in (c, s * f64.exp (m - c) + t * f64.exp (k - c))
  let (m, s) = reduce op (-100, 0) (map (\v -> (v, 1)) x)
  in m + f64.log s

entry main =
  [check_scalar both [0.7, -1.3, 2.1, 0.4, -0.6],
   check moments [0.7, -1.3, 2.1, 0.4, -0.6],
   check complex [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar softmax [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian softmax [0.7, -1.3, 2.1]]
