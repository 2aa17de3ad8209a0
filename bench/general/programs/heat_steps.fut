-- Diffusion with a coefficient for each cell, explicit steps, borders that reflect; the distance from
-- a wanted state.
def step [n][m] (k: [n][m]f64) (u: [n][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j ->
                     let c = u[i, j]
                     let north = u[i64.max 0 (i - 1), j]
                     let south = u[i64.min (n - 1) (i + 1), j]
                     let west = u[i, i64.max 0 (j - 1)]
                     let east = u[i, i64.min (m - 1) (j + 1)]
                     in c + k[i, j] * (north + south + west + east - 4 * c))

entry primal [n][m] (k: [n][m]f64) (u0: [n][m]f64) (goal: [n][m]f64) (steps: i64) : f64 =
  let u = loop u = u0 for _t < steps do step k u
  in f64.sum (map2 (\a b -> (a - b) * (a - b)) (flatten u) (flatten goal)) / f64.i64 (n * m)

entry gradient [n][m]
               (k: [n][m]f64) (u0: [n][m]f64) (goal: [n][m]f64) (steps: i64) : ([n][m]f64, [n][m]f64) =
  vjp (\(k, u0) -> primal k u0 goal steps) (k, u0) 1
