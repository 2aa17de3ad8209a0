-- The second sum of each thread goes on from the first: one statement adds, in each of them.
-- structure soac,gpu: prim 75
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] [[1f64], [2f64]] [[0f64, 1f64]] [[5f64]] }
-- output { [[8f64], [15f64]] }
entry main [n][m][k][l] (a: [n][k]f64) (b: [n][l]f64) (c: [m][k]f64) (d: [m][l]f64) : [n][m]f64 =
  map2 (\r s -> map2 (\p q -> f64.sum (map2 (*) r p) + f64.sum (map2 (*) s q) + 1) c d) a b
