-- A product of matrices: a nest of two levels whose threads each add up a row, or blocks that do.
-- structure soac,flatten,dce: loop.kernel 2, loop.blocks 2, loop.threads 2, screma 1
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] [[5f64, 6f64], [7f64, 8f64]] }
-- output { [[19f64, 22f64], [43f64, 50f64]] }
entry main [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a
