-- Matrices that are transposed where they are used, in rows of a nest: their columns are read along the rows, by threads
-- that have a part of a column each.
-- structure soac,gpu: loop.kernel 10
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64], [5f64, 6f64]] [[[1f64], [2f64], [3f64]], [[4f64], [5f64], [6f64]]] }
-- output { [[[22f64, 28f64]], [[49f64, 64f64]]] }
entry main [n][m][k][l] (xs: [n][l]f64) (yss: [k][n][m]f64) : [k][m][l]f64 =
  map (\ys -> map (\c -> map (\x -> f64.sum (map2 (*) x c)) (transpose xs)) (transpose ys)) yss
