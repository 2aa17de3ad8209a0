-- Reductions that choose a whole element, with what comes along.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def argmin [n] (x: [n]f64) =
  let (v, i, p) =
    reduce (\(a, i, p) (b, j, q) -> if a < b || (a == b && i < j) then (a, i, p) else (b, j, q))
           (f64.highest, n, 0) (zip3 x (iota n) (map f64.sin (reverse x)))
  in [v, p, x[i] * v]
def second [n] (x: [n]f64) =
  (reduce_comm (\(a, b) (c, d) -> if a >= c then (a, f64.max b c) else (c, f64.max a d))
               (f64.lowest, f64.lowest) (map (\v -> (v, f64.lowest)) x)).1

entry main =
  [check argmin [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar second [0.7, -1.3, 2.1, 0.4, -0.6]]
