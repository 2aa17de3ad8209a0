-- Writing at indices.
-- ==
-- input { [0, 0, 0] [0i64, 5i64, -1i64, 2i64] [1, 2, 3, 4] } output { [1, 0, 4] }
entry main [k][n] (dest: *[k]i32) (is: [n]i64) (vs: [n]i32) = scatter dest is vs

-- ==
-- entry: rows
-- input { [1i64] [[7, 8]] } output { [[0, 0], [7, 8]] }
entry rows [n] (is: [n]i64) (vs: [n][2]i32) = scatter (replicate 2 (replicate 2 0)) is vs

-- ==
-- entry: pairs
-- input { [1i64] [7] [true] } output { [0, 7] [false, true] }
entry pairs [n] (is: [n]i64) (vs: [n]i32) (bs: [n]bool) =
  unzip (scatter (replicate 2 (0, false)) is (zip vs bs))
