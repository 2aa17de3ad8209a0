-- Sensitivities of an integrated system to its parameters and start.
-- ==
-- input { } output { [true, true] }
import "lib/fd"

def rhs (p: [2]f64) (y: [2]f64) = [p[0] * y[0] - y[0] * y[1], y[0] * y[1] - p[1] * y[1]]
def axpy (h: f64) (a: [2]f64) (b: [2]f64) = map2 (\x y -> h * x + y) a b
def f [n] (x: [n]f64) =
  let p = x[0:2]
  in loop y = sized 2 x[2:4] for _i < 10 do
    let h = 0.05
    let k1 = rhs p y
    let k2 = rhs p (axpy (h / 2) k1 y)
    let k3 = rhs p (axpy (h / 2) k2 y)
    let k4 = rhs p (axpy h k3 y)
    in map4 (\y a b c -> y + h / 6 * (a + 4 * b + c)) y k1 (map2 (\a b -> (a + b) / 2) k2 k3) k4

entry main =
  [check f [1.1, 0.4, 1, 0.5],
   check_hessian (\x -> (f x)[0]) [1.1, 0.4, 1, 0.5]]
