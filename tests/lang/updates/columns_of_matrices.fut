-- Columns of matrices of constant sizes: each is contiguous, and several are copied in one loop.
-- ==
-- entry: column
-- input { [[[[0i32, 0], [0, 0], [0, 0]], [[0, 0], [0, 0], [0, 0]]]] [[[1i32, 2], [3, 4], [5, 6]]] 1i64 }
-- output { [[[[0i32, 0], [0, 0], [0, 0]], [[1, 2], [3, 4], [5, 6]]]] }
-- input { empty([0][2][3][2]i32) empty([0][3][2]i32) 1i64 } output { empty([0][2][3][2]i32) }
-- input { empty([0][2][3][2]i32) empty([0][3][2]i32) 2i64 } error: out of bounds
entry column [n][m] (to: *[n][m][3][2]i32) (xs: [n][3][2]i32) (j: i64) = to with [:, j] = xs
