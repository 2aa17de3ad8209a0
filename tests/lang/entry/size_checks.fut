-- Sizes of arguments are checked.
-- ==
-- input { [1, 2] [3, 4] } output { [4, 6] }
-- input { [1, 2] [3] } error: entry point arguments have invalid sizes
entry main [n] (xs: [n]i32) (ys: [n]i32) = map2 (+) xs ys

-- ==
-- entry: square
-- input { [[1, 2], [3, 4]] } output { 5 }
-- input { [[1, 2, 3], [4, 5, 6]] } error: entry point arguments have invalid sizes
entry square [n] (xss: [n][n]i32) = i32.sum (map (\i -> xss[i, i]) (iota n))
