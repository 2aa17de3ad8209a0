-- Half precision.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f (x: [3]f16) = f16.product x
def near (a: f16) (b: f16) = f16.abs (a - b) <= 0.01 * (1 + f16.abs b)
def s (x: [3]f16) = f16.sum (map f16.exp x)

entry main =
  [and (map2 near (vjp f [2, 3, 4] 1) [12, 8, 6]),
   and (map2 near (vjp f [0, 3, 4] 1) [12, 0, 0]),
   near (jvp s [0, 1, 2] [1, 1, 1]) (s [0, 1, 2]),
   and (map2 near (map f16.f64 (vjp (\(y: [2]f64) -> f16.f64 (y[0] * y[1])) [2, 3] 1)) [3, 2])]
