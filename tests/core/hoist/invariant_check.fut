-- The check of i is made once for all j.
-- depth soac: assert 0
-- ==
-- input { [1i32, 2i32] 1i64 3i64 } output { [2i32, 3i32, 4i32] }
-- input { [1i32, 2i32] 7i64 0i64 } output { empty([0]i32) }
-- input { [1i32, 2i32] 7i64 1i64 } error: Index \[7\] out of bounds for array of shape \[2\]
entry main (xs: []i32) (i: i64) (m: i64) : []i32 =
  map (\j -> xs[i] + i32.i64 j) (iota m)
