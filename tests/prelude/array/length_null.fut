-- Size of an array.
-- ==
-- input { [1, 2, 3] } output { 3i64 false }
-- input { empty([0]i32) } output { 0i64 true }
entry main (xs: []i32) = (length xs, null xs)
