-- Gauss-Seidel sweeps in place.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def run [n] (b: [n]f64) =
  loop u = replicate n 0 for _k < 6i32 do
    loop u for i < n do
      let l = if i == 0 then 0 else u[i - 1]
      let r = if i == n - 1 then 0 else u[i + 1]
      in u with [i] = (b[i] + l + r) / (3 + 0.1 * u[i] * u[i])

entry main =
  [check run [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\b -> f64.sum (run b)) [0.7, -1.3, 2.1]]
