-- The same where the second matrix is given by columns.
-- structure soac: withacc 0, upd_acc 0, screma 6, screma.reduce 2
-- ==
-- input { [[1f64,2f64,3f64],[4f64,5f64,6f64]] [[1f64,2f64,0f64],[0f64,1f64,3f64]] [[1f64,2f64],[3f64,4f64]] }
-- output { [[1.0f64, 4.0f64, 6.0f64],  [3.0f64, 10.0f64, 12.0f64]] [[13.0f64, 17.0f64, 21.0f64],  [18.0f64, 24.0f64, 30.0f64]] }
entry main [n][m][p] (a: [n][m]f64) (b: [p][m]f64) (c: [n][p]f64) : ([n][m]f64, [p][m]f64) =
  vjp (\(a, b) -> map (\x -> map (\y -> f64.sum (map2 (*) x y)) b) a) (a, b) c
