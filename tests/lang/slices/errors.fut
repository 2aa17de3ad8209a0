-- Slices out of bounds.
-- ==
-- input { [1, 2, 3, 4, 5] 3i64 1i64 } error: Index \[3:1\] out of bounds for array of shape \[5\]
-- input { [1, 2, 3, 4, 5] 6i64 6i64 } output { empty([0]i32) }
-- input { [1, 2, 3, 4, 5] 2i64 6i64 } error: out of bounds
-- input { [1, 2, 3, 4, 5] -1i64 2i64 } error: out of bounds
entry main (a: []i32) (i: i64) (j: i64) = a[i:j]

-- ==
-- entry: stride
-- input { [1, 2, 3, 4, 5] 5i64 0i64 -1i64 } error: out of bounds
-- input { [1, 2, 3, 4, 5] 4i64 -1i64 -1i64 } output { [5, 4, 3, 2, 1] }
-- input { [1, 2, 3, 4, 5] 0i64 5i64 0i64 } error: .
entry stride (a: []i32) (i: i64) (j: i64) (s: i64) = a[i:j:s]
