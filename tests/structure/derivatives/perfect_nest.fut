-- A perfect nest of depth three: no primal code is left in the return sweep.
-- structure soac: screma 3, screma.reduce 0, withacc 0, replicate 0
-- ==
-- input { [[[1f64,2f64],[3f64,4f64]]] [[[1f64,1f64],[2f64,2f64]]] }
-- output { [[[2.0f64, 4.0f64],   [12.0f64, 16.0f64]]] }
entry main [n][m][k] (a: [n][m][k]f64) (g: [n][m][k]f64) : [n][m][k]f64 =
  vjp (map (map (map (\x -> x * x)))) a g
