-- The price of an option on the mean of a path: one loop over time for all paths, numbers in f32, sums
-- in f64.
def wide (x: f32) : f64 = f64.f32 x

entry primal [n][t] (market: [4]f32) (z: [t][n]f32) : f64 =
  let (s0, r, sigma, strike) = (market[0], market[1], market[2], market[3])
  let dt = 1 / f32.i64 t
  let drift = (r - 0.5 * sigma * sigma) * dt
  let (_, sums) =
    loop (s, sums) = (replicate n s0, replicate n 0f64) for zs in z do
      let s = map2 (\s e -> s * f32.exp (drift + sigma * f32.sqrt dt * e)) s zs
      in (s, map2 (\total s -> total + wide s) sums s)
  let payoff total = f64.max 0 (total / f64.i64 t - wide strike)
  in f64.exp (-(wide r)) * f64.sum (map payoff sums) / f64.i64 n

entry gradient [n][t] (market: [4]f32) (z: [t][n]f32) : [4]f32 = vjp (\p -> primal p z) market 1
