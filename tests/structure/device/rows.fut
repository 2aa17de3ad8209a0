-- Sums of rows, and their running sums: by a thread or a block for each row.
-- structure soac,flatten,dce: loop.kernel 1, loop.blocks 1, loop.threads 1
-- ==
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [6i32, 15i32] [[1i32, 3i32, 6i32], [4i32, 9i32, 15i32]] }
entry main [n][m] (xss: [n][m]i32) : ([n]i32, [n][m]i32) =
  (map i32.sum xss, map (scan (+) 0) xss)
