-- Concatenation.
-- ==
-- input { [1, 2] [3] } output { [1, 2, 3] [3, 1, 2] }
-- input { empty([0]i32) [3] } output { [3] [3] }
entry main (xs: []i32) (ys: []i32) = (xs ++ ys, concat ys xs)

-- ==
-- entry: rows
-- input { [[1, 2]] [[3, 4], [5, 6]] } output { [[1, 2], [3, 4], [5, 6]] }
entry rows (xs: [][2]i32) (ys: [][2]i32) = xs ++ ys
