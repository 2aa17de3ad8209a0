-- A sum that is written as a loop: in its adjoint it is a map, so that devices have a reduction for each element.
-- structure soac: loop 0, screma 2
-- structure soac,gpu: loop.atomic 0
-- ==
-- input { [[1f64,2f64],[3f64,4f64]] [1f64,2f64] [10f64,100f64] } output { [310.0f64, 420.0f64] }
entry main [n][m] (a: [n][m]f64) (x: [m]f64) (g: [n]f64) : [m]f64 =
  vjp (\x -> tabulate n (\i -> loop s = 0 for j < m do s + a[i, j] * x[j])) x g
