-- A coercion is checked where nothing but the size that it says is needed.
-- ==
-- entry: literal literal_of_filter
-- input { [1, 2, 3] } output { 3i64 }
-- input { [1, 2] } error: cannot match shape

-- ==
-- entry: parameter
-- input { 2i64 [1, 2] } output { 4i64 }
-- input { 2i64 [1, 2, 3] } error: cannot match shape

-- ==
-- entry: unused
-- input { 2i64 [1, 2] } output { 2i64 }
-- input { 2i64 [1, 2, 3] } error: cannot match shape
entry literal (xs: []i32) = length (xs :> [3]i32)

entry literal_of_filter (xs: []i32) = length (map (+ 1) (filter (> 0) xs :> [3]i32))

entry parameter (n: i64) (xs: []i32) = let ys = xs :> [n]i32 in length (ys ++ ys)

entry unused (n: i64) (xs: []i32) = let _ = xs :> [n]i32 in n
