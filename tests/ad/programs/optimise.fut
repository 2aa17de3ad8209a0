-- Gradient descent with momentum, unrolled and differentiated by its rate.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def rosenbrock (x: [2]f64) = (1 - x[0]) ** 2 + 10 * (x[1] - x[0] ** 2) ** 2
def run (scale: f64) =
  let rate = 0.002 * scale
  let (x, _) = loop (x, v) = ([0.5, 0.5], [0, 0]) for _i < 15i32 do
    let v = map2 (\v g -> 0.8 * v - rate * g) v (vjp rosenbrock x 1)
    in (map2 (+) x v, v)
  in rosenbrock x

entry main =
  [check_number run 0.7,
   check_number run 1.3]
