-- Elements that do and do not satisfy a predicate.
-- ==
-- input { [1, 2, 3, 4] } output { [3, 4] [1, 2] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry main (xs: []i32) = partition (> 2) xs
