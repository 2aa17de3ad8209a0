-- Interpolation with a search for the interval.
-- ==
-- input { } output { [true] }
import "../fd/lib/fd"

def knots = [0, 0.5, 1.2, 2, 3f64]
def at [n] (ys: [n]f64) (t: f64) =
  let (lo, _) = loop (lo, hi) = (0, n - 1) while hi - lo > 1 do
    let m = (lo + hi) / 2 in if knots[m] <= t then (m, hi) else (lo, m)
  let s = (t - knots[lo]) / (knots[lo + 1] - knots[lo])
  in ys[lo] * (1 - s) ** 2 * (1 + 2 * s) + ys[lo + 1] * s * s * (3 - 2 * s)
def f (x: [7]f64) = map (at (x[0:5] :> [5]f64)) [x[5], x[6], 0.1]

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6, 0.8, 2.4]]
