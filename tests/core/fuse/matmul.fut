-- Products and their sum are one combinator; the transposed matrix is a view made once.
-- structure soac: screma 3, screma.reduce 1, rearrange 1, copy 0
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] [[0f64, 1f64], [1f64, 0f64]] } output { [[2f64, 1f64], [4f64, 3f64]] }
entry main [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a
