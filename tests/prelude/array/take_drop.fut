-- Parts of an array.
-- ==
-- input { 2i64 [1, 2, 3] } output { [1, 2] [3] }
-- input { 0i64 [1, 2, 3] } output { empty([0]i32) [1, 2, 3] }
-- input { 3i64 [1, 2, 3] } output { [1, 2, 3] empty([0]i32) }
-- input { 4i64 [1, 2, 3] } error: out of bounds
-- input { -1i64 [1, 2, 3] } error: out of bounds
entry main (i: i64) (xs: []i32) = (take i xs, drop i xs)
