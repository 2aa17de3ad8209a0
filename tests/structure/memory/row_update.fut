-- A row that is written is computed there.
-- structure soac,c: alloc 0, copies 0
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32]] [5i32, 6i32] 1i64 } output { [[1i32, 2i32],  [10i32, 12i32]] }
entry main [n][m] (a: *[n][m]i32) (xs: [m]i32) (i: i64) : *[n][m]i32 = a with [i] = map (* 2) xs
