-- A sum that may wrap around is not known to be positive.
-- structure soac: assert 1
-- ==
-- input { [1i32, 2i32, 3i32] 1i64 } output { 3i32 }
-- input { [1i32, 2i32, 3i32] 9223372036854775807i64 } error: out of bounds
entry main [n] (xs: [n]i32) (i: i64) : i32 = if 0 <= i then xs[i + 1] else 0
