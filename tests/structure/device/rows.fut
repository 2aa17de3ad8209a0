-- Sums of rows, and their running sums: by a block for each row, or several blocks for few rows.
-- structure soac,flatten: loop.kernel 1, loop.blocks 4, loop.threads 4
-- ==
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [6i32, 15i32] [[1i32, 3i32, 6i32], [4i32, 9i32, 15i32]] }
entry main [n][m] (xss: [n][m]i32) : ([n]i32, [n][m]i32) =
  (map i32.sum xss, map (scan (+) 0) xss)
