-- Writing into a constant array.
-- ==
-- input { 4i64 [1i64, 3i64, 8i64] [5, 6, 7] } output { [9, 5, 9, 6] }
entry main [n] (k: i64) (is: [n]i64) (vs: [n]i32) = spread k 9 is vs
