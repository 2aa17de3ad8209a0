-- Checks that may fail stay.
-- structure soac: assert 2
-- ==
-- input { [1i32, 2i32, 3i32] 2i64 } output { [2i32, 3i32] }
-- input { [1i32, 2i32, 3i32] 3i64 } error: Index \[3\] out of bounds
entry main [n] (xs: [n]i32) (k: i64) : []i32 = map (\i -> xs[i + 1]) (iota k)
