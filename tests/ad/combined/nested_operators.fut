-- Operators of derivatives inside of loops, maps and reductions.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def inner [n] (x: [n]f64) (k: f64) = vjp (\y -> f64.sum (map (\v -> f64.sin (k * v)) y)) x 1
def f [n] (x: [n]f64) = map (\k -> f64.sum (inner x k)) x
def g [n] (x: [n]f64) = loop y = x for _i < 2i32 do map2 (-) y (map (* 0.1) (inner y x[0]))
def h [n] (x: [n]f64) = f64.sum (map (\v -> jvp (\u -> u * u * x[0]) v 1) x)

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check_scalar h [0.7, -1.3, 2.1]]
