-- Dynamic size checks.
-- ==
-- input { [1, 2] } output { [1, 2] }
-- input { [1, 2, 3] } error: cannot match shape of type
entry main (xs: []i32) = xs :> [2]i32

-- ==
-- entry: doubled
-- input { [1, 2] } output { [1, 2, 1, 2] }
entry doubled [n] (xs: [n]i32) = (xs ++ xs) :> [2 * n]i32

-- ==
-- entry: inner
-- input { [[1, 2], [3, 4]] 2i64 } output { [[1, 2], [3, 4]] }
-- input { [[1, 2], [3, 4]] 3i64 } error: cannot match shape of type "\[2\]\[3\]i32"
entry inner (xss: [][]i32) (m: i64) = xss :> [2][m]i32
