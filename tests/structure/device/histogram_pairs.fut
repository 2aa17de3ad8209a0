-- Updates of pairs take locks: one thread does the histogram of a row.
-- structure soac,gpu: loop.kernel 1, loop.blocks 0, loop.atomic 0
-- ==
-- input { 2i64 [[0i64, 1i64, 1i64], [5i64, 0i64, -1i64]] [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[0i64, 2i64], [1i64, -1i64]] }
entry main [n][m] (k: i64) (iss: [n][m]i64) (vss: [n][m]i32) : [n][k]i64 =
  let op (x, i) (y, j) = if x > y || (x == y && i > j) then (x, i) else (y, j)
  in map2 (\is vs -> map (.1) (reduce_by_index (replicate k (i32.lowest, -1)) op (i32.lowest, -1) is
                                               (zip vs (iota m)))) iss vss
