-- Indices that go with the counter of a loop are checked before it where they can be; the errors are
-- those of the first iteration that fails.

-- ==
-- entry: flat
-- input { 2i64 3i64 [1, 2, 3, 4, 5, 6] } output { [6, 15] }
-- input { 2i64 3i64 [1, 2, 3, 4, 5] } error: Index \[5\] out of bounds for array of shape \[5\]
-- input { 3i64 2i64 [1, 2, 3, 4] } error: Index \[4\] out of bounds for array of shape \[4\]
-- input { 1i64 -1i64 [1] } output { [0] }
-- input { 0i64 7i64 empty([0]i32) } output { empty([0]i32) }
entry flat [l] (n: i64) (m: i64) (a: [l]i32) : [n]i32 =
  tabulate n (\i -> loop s = 0 for j < m do s + a[i * m + j])

-- ==
-- entry: columns
-- input { 2i64 3i64 [1, 2, 3, 4, 5, 6] } output { [5, 7, 9] }
-- input { 2i64 3i64 [1, 2, 3, 4, 5] } error: Index \[5\] out of bounds for array of shape \[5\]
entry columns [l] (n: i64) (m: i64) (a: [l]i32) : [m]i32 =
  tabulate m (\j -> loop s = 0 for i < n do s + a[i * m + j])

-- ==
-- entry: strided
-- input { 5i64 0i64 2i64 [1, 2, 3, 4, 5, 6, 7, 8, 9] } output { 25 }
-- input { 5i64 8i64 -2i64 [1, 2, 3, 4, 5, 6, 7, 8, 9] } output { 25 }
-- input { 5i64 4i64 0i64 [1, 2, 3, 4, 5, 6, 7, 8, 9] } output { 25 }
-- input { 6i64 0i64 2i64 [1, 2, 3, 4, 5, 6, 7, 8, 9] } error: Index \[10\] out of bounds for array of shape \[9\]
-- input { 6i64 8i64 -2i64 [1, 2, 3, 4, 5, 6, 7, 8, 9] } error: Index \[-2\] out of bounds for array of shape \[9\]
-- input { 5i64 -1i64 1i64 [1, 2, 3, 4, 5, 6, 7, 8, 9] } error: Index \[-1\] out of bounds for array of shape \[9\]
-- input { 3i64 0i64 4611686018427387904i64 [1] } error: Index \[4611686018427387904\] out of bounds
-- input { 5i64 0i64 4611686018427387904i64 [1] } error: Index \[4611686018427387904\] out of bounds
-- input { 9i64 1i64 9223372036854775807i64 [1, 2] } error: Index \[-9223372036854775808\] out of bounds
-- input { 3i64 1i64 -9223372036854775808i64 [1, 2] } error: Index \[-9223372036854775807\] out of bounds
-- input { 0i64 77i64 5i64 [1] } output { 0 }
-- input { -3i64 77i64 5i64 [1] } output { 0 }
entry strided [l] (n: i64) (start: i64) (step: i64) (a: [l]i32) : i32 =
  loop s = 0 for i < n do s + a[start + step * i]

-- ==
-- entry: backwards
-- input { [1, 2, 3] [10, 20, 30] 3i64 } output { [33, 22, 11] }
-- input { [1, 2, 3] [10, 20, 30] 4i64 } error: Index \[3\] out of bounds for array of shape \[3\]
entry backwards [n] (a: [n]i32) (b: [n]i32) (k: i64) : [k]i32 =
  map (\i -> a[k - 1 - i] + b[n - 1 - i]) (iota k)

-- ==
-- entry: shifted
-- input { [1, 2, 3, 4] 1i64 2i64 } output { [5, 7] }
-- input { [1, 2, 3, 4] 1i64 3i64 } error: Index \[4\] out of bounds for array of shape \[4\]
-- input { [1, 2, 3, 4] -1i64 3i64 } error: Index \[-1\] out of bounds for array of shape \[4\]
-- input { [1, 2, 3, 4] 9223372036854775807i64 3i64 } error: Index \[9223372036854775807\] out of bounds
entry shifted [n] (a: [n]i32) (k: i64) (m: i64) : [m]i32 =
  map (\i -> a[i + k] + a[k + i + 1]) (iota m)

-- ==
-- entry: written
-- input { 3i64 2i64 [0, 0, 0, 0, 0, 0, 0] } output { [0, 0, 10, 0, 20, 0, 30] }
-- input { 3i64 3i64 [0, 0, 0, 0, 0, 0, 0] } error: Index \[7\] out of bounds for array of shape \[7\]
entry written [l] (n: i64) (first: i64) (a: *[l]i32) : *[l]i32 =
  loop a for i < n do a with [first + 2 * i] = 10 * i32.i64 (i + 1)
