-- With a stride the end of a slice may lie past the array, as long as what it selects does not.
-- ==
-- entry: main
-- input { [0, 1, 2, 3, 4] 1i64 6i64 3i64 } output { [1, 4] }
-- input { [0, 1, 2, 3, 4] 1i64 7i64 3i64 } output { [1, 4] }
-- input { [0, 1, 2, 3, 4] 1i64 8i64 3i64 } error: Index \[1:8:3\] out of bounds for array of shape \[5\]
-- input { [0, 1, 2, 3, 4] 0i64 9223372036854775807i64 9223372036854775807i64 } output { [0] }
-- input { [0, 1, 2, 3, 4] 0i64 9223372036854775807i64 2i64 } error: out of bounds
-- input { [0, 1, 2, 3, 4] 0i64 6i64 1i64 } error: out of bounds
-- input { [0, 1, 2, 3, 4] 5i64 6i64 2i64 } error: out of bounds
-- input { [0, 1, 2, 3, 4] 3i64 1i64 2i64 } error: out of bounds
-- input { [0, 1, 2, 3, 4] 7i64 7i64 2i64 } output { empty([0]i32) }
-- input { [0, 1, 2, 3, 4] 4i64 -1i64 -3i64 } output { [4, 1] }
-- input { [0, 1, 2, 3, 4] 4i64 -2i64 -3i64 } error: out of bounds
-- input { [0, 1, 2, 3, 4] 4i64 0i64 -9223372036854775808i64 } output { [4] }
entry main (xs: []i32) (i: i64) (j: i64) (s: i64) = xs[i:j:s]

-- ==
-- entry: literal
-- input { [0, 1, 2, 3, 4] } output { [1, 4] }
-- input { [0, 1, 2, 3] } error: out of bounds
entry literal (xs: []i32) = xs[1:6:3]

-- ==
-- entry: update
-- input { [0, 1, 2, 3, 4] } output { [0, 9, 2, 3, 9] }
-- input { [0, 1, 2, 3] } error: out of bounds
entry update (xs: *[]i32) = xs with [1:6:3] = [9, 9]

-- ==
-- entry: rows
-- input { [[0, 1, 2], [3, 4, 5]] } output { [[0, 2]] }
entry rows (xs: [][]i32) = xs[0:3:3, 0:4:2]
