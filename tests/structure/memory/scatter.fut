-- A scatter into what is given away.
-- structure soac,c: loop 1, alloc 0, copies 0
-- ==
-- input { [1i32, 2i32, 3i32] [0i64, 2i64] } output { [0i32, 2i32, 2i32] }
entry main [n][m] (xs: *[n]i32) (is: [m]i64) : *[n]i32 = scatter xs is (map i32.i64 is)
