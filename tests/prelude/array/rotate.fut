-- Rotation by any amount.
-- ==
-- input { 1i64 [1, 2, 3] } output { [2, 3, 1] }
-- input { -1i64 [1, 2, 3] } output { [3, 1, 2] }
-- input { 7i64 [1, 2, 3] } output { [2, 3, 1] }
-- input { -7i64 [1, 2, 3] } output { [3, 1, 2] }
-- input { 5i64 empty([0]i32) } output { empty([0]i32) }
entry main (r: i64) (xs: []i32) = rotate r xs
