-- Loops in strips give the same derivatives.
-- ==
-- input { } output { [true, true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = #[stripmine(2)] loop s = x[0] for i < 17 do f64.sin (s * x[i % n] + 0.1)
def g [n] (x: [n]f64) = #[stripmine(3)] loop a = copy x for i < 30i64 do a with [i % n] = f64.cos (a[(i + 1) % n])
def h [n] (x: [n]f64) = #[stripmine(2)] loop s = 1 for v in x do s * v
def k [n] (x: [n]f64) =
  #[stripmine(2)] loop a = x for i < 5 do
    #[stripmine(2)] loop b = a for _j < i do map (\v -> v * 0.9 + 0.1 * f64.sin v) b

entry main =
  [check_scalar f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check_scalar h [0.7, -1.3, 2.1, 0.4, -0.6],
   check k [0.7, -1.3, 2.1],
   check_hessian f [0.7, -1.3, 2.1]]
