-- Updates of slices.
-- ==
-- input { [1, 2, 3, 4] [8, 9] } output { [1, 8, 9, 4] }
-- input { [1, 2, 3, 4] [8] } error: Shape of slice does not match shape of value
entry main (xs: *[]i32) (vs: []i32) = xs with [1:3] = vs

-- ==
-- entry: reversed
-- input { } output { [6, 7, 8, 9] }
entry reversed : []i32 = [1, 2, 3, 4] with [::-1] = [9, 8, 7, 6]

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] [7, 8] } output { [[1, 2], [7, 8]] }
entry rows (xss: *[2][2]i32) (r: [2]i32) = xss with [1] = r

-- ==
-- entry: columns
-- input { [[1, 2], [3, 4]] [7, 8] } output { [[1, 7], [3, 8]] }
entry columns (xss: *[2][2]i32) (c: [2]i32) = xss with [:, 1] = c
