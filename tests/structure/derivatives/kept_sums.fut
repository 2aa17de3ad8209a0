-- Sums of rows that the way back needs are those of the way there.
-- structure soac: screma.reduce 3
-- structure soac,keep_sums: screma.reduce 2
-- ==
-- input { [[1f64,2f64],[3f64,4f64]] [1f64,-1f64] }
-- output { [-4.0f64, -6.0f64] }
entry main [n][m] (a: [n][m]f64) (x: [m]f64) : [m]f64 =
  vjp (\x -> f64.log (f64.sum (map (\row -> let d = f64.sum (map2 (*) row x) in d * d) a))) x 1
