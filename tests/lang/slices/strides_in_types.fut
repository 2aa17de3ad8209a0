-- Slices with strides past the end, where the array is a row, a field, a part of a matrix or empty.
-- ==
-- entry: rows
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 5i64 } output { [[2, 4], [6, 8]] }
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 6i64 } error: Index \[1:6:2\] out of bounds for array of shape \[4\]

-- ==
-- entry: columns
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[1, 2], [5, 6]] }
-- input { [[1, 2], [3, 4]] } error: Index \[0:4:2\] out of bounds for array of shape \[2\]
-- input { empty([0][2]i32) } error: out of bounds

-- ==
-- entry: field
-- input { [1, 2, 3] } output { [1, 3] 2i64 }

-- ==
-- entry: backwards
-- input { [1, 2, 3, 4, 5] 4i64 } output { [5, 3, 1] }
-- input { [1, 2, 3, 4, 5] 3i64 } output { [4, 2] }
-- input { [1, 2, 3, 4, 5] 5i64 } error: out of bounds

-- ==
-- entry: within
-- input { [0, 1, 2, 3, 4, 5, 6, 7] } output { [1, 7] }

entry rows (xss: [][]i32) (j: i64) = map (\xs -> xs[1:j:2] :> [j / 2]i32) xss
entry columns (xss: [][2]i32) = xss[0:4:2]

entry field (xs: []i32) =
  let r = {a = xs, b = length xs}
  let ys = r.a[:r.b + 1:2]
  in (ys, length ys)

entry backwards (xs: []i32) (i: i64) = xs[i:-1:-2]

-- a slice of a slice: the length of the first counts
entry within (xs: []i32) = xs[1:9:2][0:4:3]
