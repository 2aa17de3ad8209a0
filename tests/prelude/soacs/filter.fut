-- Elements that satisfy a predicate.
-- ==
-- input { [1, -2, 3, -4] } output { [1, 3] }
-- input { [-1, -2] } output { empty([0]i32) }
-- input { empty([0]i32) } output { empty([0]i32) }
entry main (xs: []i32) = filter (> 0) xs

-- ==
-- entry: pairs
-- input { [1, -2, 3] [true, true, false] } output { [1, 3] [true, false] }
entry pairs [n] (xs: [n]i32) (ys: [n]bool) = unzip (filter (\(x, _) -> x > 0) (zip xs ys))

-- ==
-- entry: rows
-- input { [[1, 2], [0, 4], [5, 6]] } output { [[1, 2], [5, 6]] }
entry rows (xss: [][2]i32) = filter (\xs -> xs[0] > 0) xss
