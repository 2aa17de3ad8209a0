-- A check is not made again.
-- structure soac: assert 1
-- ==
-- input { [1i32, 2i32, 3i32] 1i64 } output { 4i32 }
-- input { [1i32, 2i32, 3i32] 3i64 } error: Index \[3\] out of bounds
entry main [n] (xs: [n]i32) (i: i64) : i32 = xs[i] + xs[i]
