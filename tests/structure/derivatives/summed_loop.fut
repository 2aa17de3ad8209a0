-- A sum that is written as a loop: its adjoint is a reduction too, for each element.
-- structure soac: withacc 0, upd_acc 0, loop 0, screma 2
-- ==
-- input { [[1f64,2f64],[3f64,4f64]] [1f64,2f64] [10f64,100f64] } output { [310.0f64, 420.0f64] }
entry main [n][m] (a: [n][m]f64) (x: [m]f64) (g: [n]f64) : [m]f64 =
  vjp (\x -> tabulate n (\i -> loop s = 0 for j < m do s + a[i, j] * x[j])) x g
