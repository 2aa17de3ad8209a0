-- Gaussian mixtures with triangular factors.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def lse [n] (x: [n]f64) = let m = f64.maximum x in m + f64.log (f64.sum (map (\v -> f64.exp (v - m)) x))
def qtimes [d][t] (q: [d]f64) (l: [t]f64) (v: [d]f64) =
  map (\i -> f64.exp q[i] * v[i] +
             (loop s = 0 for j < i do s + l[d * j - j * (j + 1) / 2 + (i - j - 1)] * v[j])) (iota d)
def objective [k][d][t][n] (alpha: [k]f64) (mu: [k][d]f64) (q: [k][d]f64) (l: [k][t]f64) (x: [n][d]f64) =
  let inner xi = lse (map (\j ->
    alpha[j] + f64.sum q[j] - 0.5 * f64.sum (map (** 2) (qtimes q[j] l[j] (map2 (-) xi mu[j])))) (iota k))
  let prior j = 0.5 * (f64.sum (map (\v -> f64.exp (2 * v)) q[j]) + f64.sum (map (** 2) l[j]))
  in f64.sum (map inner x) - f64.i64 n * lse alpha - f64.sum (map prior (iota k))
def x = [[0.1, 0.4, -0.2], [1.2, -0.3, 0.5], [-0.7, 0.2, 0.9], [0.3, 0.3, 0.3f64]]
def f (p: [20]f64) =
  objective p[0:2] (unflatten (p[2:8] :> [2 * 3]f64)) (unflatten (p[8:14] :> [2 * 3]f64)) (unflatten (p[14:20] :> [2 * 3]f64)) x

entry main =
  [check_scalar f (map (\i -> f64.sin (f64.i64 i)) (iota 20)),
   check_hessian f (map (\i -> 0.5 * f64.cos (f64.i64 i)) (iota 20))]
