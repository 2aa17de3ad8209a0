-- Extrema: the largest and smallest element, with and without their positions.
-- ==
-- input { } output { [true, true, true, true, true] }
import "lib/fd"

def argmax [n] (x: [n]f64) =
  let op (i, a) (j, b) = if b > a then (j, b) else (i, a)
  let (i, a) = reduce op (-1, -f64.inf) (zip (iota n) x)
  in a * f64.i64 (i + 1) + x[i] * x[i]

entry main =
  [check_scalar f64.maximum [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar f64.minimum [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar argmax [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar (\x -> f64.maximum (map f64.sin x) * f64.minimum x) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.maximum x ** 3) [0.7, -1.3, 2.1, 0.4, -0.6]]
