-- Three parts by two predicates.
-- ==
-- input { [1, 2, 3, 4, 5, 6] } output { [5, 6] [3, 4] [1, 2] }
-- input { [6, 1, 3, 5] } output { [6, 5] [3] [1] }
entry main (xs: []i32) = partition2 (> 4) (> 2) xs
