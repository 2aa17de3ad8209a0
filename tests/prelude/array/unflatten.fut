-- More dimensions.
-- ==
-- input { [1, 2, 3, 4, 5, 6] } output { [[1, 2, 3], [4, 5, 6]] }
entry main (xs: []i32) : [2][3]i32 = unflatten (xs :> [2 * 3]i32)

-- ==
-- entry: three
-- input { [1, 2, 3, 4] } output { [[[1], [2]], [[3], [4]]] }
entry three (xs: []i32) : [2][2][1]i32 = unflatten_3d (xs :> [2 * 2 * 1]i32)

-- ==
-- entry: four
-- input { [1, 2, 3, 4] } output { [[[[1, 2]], [[3, 4]]]] }
entry four (xs: []i32) : [1][2][1][2]i32 = unflatten_4d (xs :> [1 * 2 * 1 * 2]i32)

-- ==
-- entry: round_trip
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[1, 2], [3, 4], [5, 6]] }
entry round_trip [n][m] (xss: [n][m]i32) : [n][m]i32 = unflatten (flatten xss)
