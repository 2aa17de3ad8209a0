-- Loops in loops, with and without arrays.
-- ==
-- input { } output { [true, true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  loop s = 1 for i < n do loop t = s for j < i + 1 do t + 0.1 * x[i] * x[j] * s
def g [n] (x: [n]f64) =
  loop a = copy x for i < n do
    loop b = a for j < n do
      b with [j] = b[j] + 0.3 * b[i] * x[j]
def h [n] (x: [n]f64) =
  (loop (a, s) = (x, 1) for _i < 3i32 do
    let t = loop t = s for v in a do t * 0.5 + v
    in (map (\v -> v * 0.5 + f64.sin t) a, t)).1

entry main =
  [check_scalar f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check_scalar h [0.7, -1.3, 2.1],
   check_hessian f [0.7, -1.3, 2.1],
   check_hessian (\x -> f64.sum (g x)) [0.7, -1.3, 2.1]]
