-- Numbers from zero.
-- ==
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- input { 0i64 } output { empty([0]i64) }
-- input { -1i64 } error: .
entry main (n: i64) = iota n

-- ==
-- entry: of
-- input { [5, 6] } output { [0i64, 1i64] }
entry of (xs: []i32) = indices xs
