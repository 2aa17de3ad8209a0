-- Out of two loops at once.
-- structure soac: screma 3
-- ==
-- input { [[1f64], [2f64]] [3f64, 4f64] } output { [[7.0f64],  [14.0f64]] }
entry main [n][m][k] (a: [n][m]f64) (ys: [k]f64) : [n][m]f64 =
  map (map (\x -> x * f64.sum ys)) a
