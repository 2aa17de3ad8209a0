-- Diffusion with a coefficient for each cell on a flat array: rows and columns by division, borders by
-- conditions.
entry primal [n][m] (k: [n][m]f32) (u0: [n][m]f32) (goal: [n][m]f32) (steps: i64) : f32 =
  let size = n * m
  let ks = flatten k
  let flow (u: [size]f32) p =
    let (i, j) = (p / m, p % m)
    let c = u[p]
    let n' = if i == 0 then 0 else u[p - m] - c
    let s' = if i == n - 1 then 0 else u[p + m] - c
    let w' = if j == 0 then 0 else u[p - 1] - c
    let e' = if j == m - 1 then 0 else u[p + 1] - c
    in c + ks[p] * (n' + s' + w' + e')
  let end = iterate (i32.i64 steps) (\u -> map (flow u) (iota size)) (flatten u0)
  in f32.sum (map2 (\a b -> (a - b) ** 2) end (flatten goal)) / f32.i64 size

entry gradient [n][m]
               (k: [n][m]f32) (u0: [n][m]f32) (goal: [n][m]f32) (steps: i64) : ([n][m]f32, [n][m]f32) =
  vjp (\(k, u0) -> primal k u0 goal steps) (k, u0) 1
