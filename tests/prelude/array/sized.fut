-- Giving a size.
-- ==
-- input { 3i64 [1, 2, 3] } output { [1, 2, 3] }
-- input { 2i64 [1, 2, 3] } error: cannot match
entry main (n: i64) (xs: []i32) = sized n xs
