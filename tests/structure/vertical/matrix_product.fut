-- A product of matrices is three loops, and stores only its result.
-- structure soac: screma 3
-- structure soac,c: loop 3, alloc 1, copies 0
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] [[5f64, 6f64], [7f64, 8f64]] } output { [[19.0f64, 22.0f64],  [43.0f64, 50.0f64]] }
entry main [n][m][k] (a: [n][m]f64) (b: [m][k]f64) : [n][k]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
