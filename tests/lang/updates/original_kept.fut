-- A copy keeps the original.
-- ==
-- input { [1, 2] } output { [1, 2] [9, 2] }
entry main (xs: []i32) = let ys = copy xs with [0] = 9 in (xs, ys)
