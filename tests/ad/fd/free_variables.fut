-- Operators differentiate only in their argument; captured values are constants.
-- ==
-- input { } output { [true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) =
  let k = f64.sum x
  in vjp (\v -> v * k) x[0] 1
def g [n] (x: [n]f64) = map (\i -> jvp (\v -> x[i] * v ** 2) x[i] 1) (iota n)
def inner [n] (x: [n]f64) = vjp (\y -> f64.sum (map2 (\a b -> a * b ** 2) x y)) (map f64.sin x) 1

entry main =
  [check_scalar f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check inner [0.7, -1.3, 2.1]]
