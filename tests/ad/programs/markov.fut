-- Forward algorithm of a hidden Markov model, in logarithms.
-- ==
-- input { } output { [true] }
import "../fd/lib/fd"

def lse [n] (x: [n]f64) = let m = f64.maximum x in m + f64.log (f64.sum (map (\v -> f64.exp (v - m)) x))
def run (p: [9]f64) =
  let trans = map (\i -> let r = [p[3 * i], p[3 * i + 1], p[3 * i + 2]] in map (\v -> v - lse r) r) (iota 3)
  in lse (loop a = [0.1, 0.2, 0.3] for o in [0, 2, 1, 1, 0i64] do
    map (\j -> lse (map (\i -> a[i] + trans[i, j]) (iota 3)) + (if j == o then 0 else -1.5)) (iota 3))

entry main =
  [check_scalar run [0.7, -1.3, 2.1, 0.4, -0.6, 0.8, 2.4, 0.1, -0.2]]
