-- Clamping makes an index safe.
-- structure soac: assert 1
-- ==
-- input { [1i32, 2i32, 3i32] -7i64 } output { 1i32 }
-- input { [1i32, 2i32, 3i32] 9i64 } output { 3i32 }
-- input { empty([0]i32) 9i64 } error: out of bounds
entry main [n] (xs: [n]i32) (i: i64) : i32 = xs[i64.max 0 (i64.min i (n - 1))]
