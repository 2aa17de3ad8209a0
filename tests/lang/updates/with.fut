-- In-place updates.
-- ==
-- input { [1, 2, 3] 1i64 9 } output { [1, 9, 3] }
-- input { [1, 2, 3] 3i64 9 } error: out of bounds
entry main (xs: *[]i32) (i: i64) (v: i32) = xs with [i] = v
