-- Captured variables are constants to the inner operator and not to the outer.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = map (\i -> vjp (\v -> f64.sum (map2 (*) x (map (** 2) v))) x (f64.i64 i + 1)) (iota n) |> flatten
def g [n] (x: [n]f64) = jvp (\k -> map (* k) x) x[0] x[1]
def h [n] (x: [n]f64) = vjp (\(a, b) -> a * b * x[2]) (x[0], x[1]) 1 |> \(a, b) -> [a, b]

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1]]
