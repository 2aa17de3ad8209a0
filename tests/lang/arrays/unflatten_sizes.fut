-- unflatten checks the sizes that it gives: none is negative, and their product has not overflown.
-- ==
-- entry: main
-- input { 2i64 3i64 [1, 2, 3, 4, 5, 6] } output { [[1, 2, 3], [4, 5, 6]] }
-- input { -2i64 -3i64 [1, 2, 3, 4, 5, 6] }
-- error: Cannot unflatten array of shape \[6\] to array of shape \[-2\]\[-3\]
-- input { 0i64 3i64 empty([0]i32) } output { empty([0][3]i32) }
-- input { 3i64 0i64 empty([0]i32) } output { empty([3][0]i32) }
-- input { 0i64 -3i64 empty([0]i32) } error: \[0\]\[-3\]
-- input { -3i64 0i64 empty([0]i32) } error: \[-3\]\[0\]
-- input { 4294967296i64 4294967296i64 empty([0]i32) } error: \[4294967296\]\[4294967296\]
entry main (n: i64) (m: i64) (xs: []i32) : [n][m]i32 = unflatten (xs :> [n * m]i32)

-- ==
-- entry: element
-- input { 2i64 2i64 [1, 2, 3, 4] } output { 4 }
-- input { 4294967296i64 4294967296i64 empty([0]i32) } error: Cannot unflatten
entry element (n: i64) (m: i64) (xs: []i32) = (unflatten (xs :> [n * m]i32))[1, 1]

-- ==
-- entry: three
-- input { 1i64 2i64 2i64 [1, 2, 3, 4] } output { [[[1, 2], [3, 4]]] }
-- input { -1i64 -2i64 2i64 [1, 2, 3, 4] } error: \[-1\]\[-2\]
-- input { -1i64 2i64 -2i64 [1, 2, 3, 4] } error: Cannot unflatten
entry three (n: i64) (m: i64) (l: i64) (xs: []i32) : [n][m][l]i32 =
  unflatten_3d (xs :> [n * m * l]i32)

-- ==
-- entry: inside
-- input { -1i64 [[1, 2], [3, 4]] } error: .
-- input { 1i64 [[1, 2], [3, 4]] } output { [[[1, 2]], [[3, 4]]] }
entry inside (n: i64) (xss: [][2]i32) : [][n][2 * n]i32 =
  map (\xs -> unflatten (xs :> [n * (2 * n)]i32)) xss
