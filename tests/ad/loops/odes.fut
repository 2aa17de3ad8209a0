-- Runge-Kutta and leapfrog.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def lotka (y: [2]f64) = [y[0] * (1.1 - 0.4 * y[1]), y[1] * (0.1 * y[0] - 0.4)]
def axpy (h: f64) (k: [2]f64) (y: [2]f64) = map2 (\k y -> y + h * k) k y
def rk4 (y: [2]f64) =
  let h = 0.1
  in loop y for _i < 10i32 do
    let k1 = lotka y
    let k2 = lotka (axpy (h / 2) k1 y)
    let k3 = lotka (axpy (h / 2) k2 y)
    let k4 = lotka (axpy h k3 y)
    in map3 (\y a b -> y + h / 6 * (a + b)) y (map2 (\a b -> a + 2 * b) k1 k2) (map2 (\a b -> a * 2 + b) k3 k4)
def leapfrog (s: [2]f64) =
  let (p, q) = loop (p, q) = (s[0], s[1]) for _i < 20i32 do
    let p = p - 0.05 * f64.sin q
    let q = q + 0.1 * p
    in (p - 0.05 * f64.sin q, q)
  in [p, q]

entry main =
  [check rk4 [3, 1.5],
   check leapfrog [0.3, 1.2],
   check_hessian (\y -> (rk4 y)[0]) [3, 1.5]]
