-- Sequential importance sampling of a nonlinear model with given noise: all particles step together,
-- weights stay in the log domain and are made to sum to one.
def lse [n] (x: [n]f64) : f64 =
  let m = f64.maximum x in m + f64.log (f64.sum (map (\v -> f64.exp (v - m)) x))

entry primal [t][n] (ys: [t]f64) (noise: [t][n]f64) (theta: [4]f64) : f64 =
  let move i x e =
    theta[0] * x + theta[1] * x / (1 + x * x) + f64.cos (1.2 * f64.i64 i) + f64.exp theta[2] * e
  let density x y = let d = (y - x * x / 20) / f64.exp theta[3] in -0.5 * d * d - theta[3]
  let (_, _, total) =
    loop (xs, logw, total) = (replicate n 0, replicate n (-f64.log (f64.i64 n)), 0) for i < t do
      let xs = map2 (move i) xs noise[i]
      let w = map2 (\l x -> l + density x ys[i]) logw xs
      let z = lse w
      -- Weights are drawn together a little, as resampling would.
      let flat = map (\v -> 0.9 * (v - z)) w
      let z' = lse flat
      in (xs, map (\v -> v - z') flat, total + z)
  in total / f64.i64 t

entry gradient [t][n] (ys: [t]f64) (noise: [t][n]f64) (theta: [4]f64) : [4]f64 =
  vjp (primal ys noise) theta 1
