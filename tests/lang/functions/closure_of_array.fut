-- A closure captures an array.
-- ==
-- input { [1, 2, 3] } output { [3, 1] }
entry main (xs: []i32) = let get i = xs[i] in map get [2i64, 0i64]
