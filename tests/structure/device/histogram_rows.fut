-- Histograms in the rows of a map: blocks with copies of the bins of a row, or a thread for each element.
-- Those of a map in three dimensions likewise.
-- structure soac,gpu: loop.kernel 5, loop.blocks 2, loop.threads 6, hist 0, withacc 0
-- ==
-- entry: main
-- input { 2i64 [[0i64, 1i64, 1i64], [5i64, 0i64, -1i64]] [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[1i32, 5i32], [5i32, 0i32]] }
entry main [n][m] (k: i64) (iss: [n][m]i64) (vss: [n][m]i32) : [n][k]i32 =
  map2 (\is vs -> reduce_by_index (replicate k 0) (+) 0 is vs) iss vss

-- ==
-- entry: deep
-- input { 2i64 [[[0i64, 1i64, 1i64]], [[5i64, 0i64, -1i64]]] [[[1i32, 2i32, 3i32]], [[4i32, 5i32, 6i32]]] }
-- output { [[[1i32, 5i32]], [[5i32, 0i32]]] }
entry deep [n][m][l] (k: i64) (iss: [n][m][l]i64) (vss: [n][m][l]i32) : [n][m][k]i32 =
  map2 (map2 (\is vs -> reduce_by_index (replicate k 0) (+) 0 is vs)) iss vss
