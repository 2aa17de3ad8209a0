-- A product of matrices with few results goes by the parts that its sums are split into: whether the length divides
-- and the number of results times parts are asked for before blocks do a result each.
-- structure soac,flatten,dce,simplify: prim 38
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] [[1f64, 0f64], [0f64, 2f64]] } output { [[1f64, 4f64], [3f64, 8f64]] }
entry main [n][m][k] (a: [n][k]f64) (b: [m][k]f64) : [n][m]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) b) a
