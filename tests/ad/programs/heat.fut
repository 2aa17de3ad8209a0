-- Explicit steps of the heat equation; the source is the unknown.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def step [n] (u: [n]f64) = map (\i -> let l = if i == 0 then 0 else u[i - 1]
  let r = if i == n - 1 then 0 else u[i + 1] in u[i] + 0.2 * (l - 2 * u[i] + r)) (iota n)
def run [n] (u: [n]f64) = loop u for _i < 12i32 do map (\v -> v - 0.01 * v * v * v) (step u)

entry main =
  [check run [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\u -> f64.sum (map (** 2) (run u))) [0.7, -1.3, 2.1]]
