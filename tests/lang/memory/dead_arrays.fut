-- What is known of the sizes of an array rests on the assertions that it needs, also where nothing
-- reads the array: no check of an index is left out, and nothing is taken not to wrap around, with
-- these assertions gone.  Where no index is out of range without them either, they may go with the
-- array: such inputs are not here.
def size_1 [n] [k] (_: [n][k]i64) = k
def size_2 [n] [k] [l] (_: [n][k][l]i64) = (k, l)

-- ==
-- entry: sum_of_one
-- input { 9223372036854775805i64 [1i64, 2, 3] } error: (is invalid|out of bounds)
-- input { 1i64 [1i64, 2, 3] } output { 7i64 }
-- input { 1i64 [1i64, 2, 3, 4, 5, 6, 7] } output { 2i64 }
-- input { -1i64 [1i64, 2, 3] } output { 8i64 }
entry sum_of_one (m: i64) (ys: []i64) : i64 =
  if m < 0
  then 8
  else let a: [0][m]i64 = []
       let k = size_1 a
       in if k + 5 < length ys then ys[k] else 7

-- ==
-- entry: sum_of_two
-- input { 1i64 -1000000i64 [1i64, 2, 3] } error: (is invalid|out of bounds)
-- input { 9223372036854775807i64 9223372036854775807i64 [1i64, 2, 3] } error: (is invalid|out of bounds)
-- input { 1i64 1i64 [1i64, 2, 3] } output { 3i64 }
entry sum_of_two (m: i64) (n: i64) (ys: []i64) : i64 =
  let a: [0][m][n]i64 = []
  let (k, l) = size_2 a
  in if k + l < length ys then ys[k + l] else 8

-- In one branch, and from there.
-- ==
-- entry: branches
-- input { true -1000000i64 [1i64, 2, 3] } error: (is invalid|out of bounds)
-- input { true 1i64 [1i64, 2, 3] } output { 2i64 }
-- input { false -1000000i64 [1i64, 2, 3] } output { 3i64 }
entry branches (c: bool) (m: i64) (ys: []i64) : i64 =
  let (n, _) = if c then let a: [0][m]i64 = [] in (size_1 a, [0]) else (2, [1])
  in if n < length ys then ys[n] else 7

-- ==
-- entry: quotients
-- input { 2i64 3i64 [1i64, 2, 3] } output { 2i64 }
entry quotients (m: i64) (i: i64) (ys: []i64) : i64 =
  let a: [0][m]i64 = []
  let k = size_1 a
  in if i < length ys * k && i >= 0 then ys[i / k] else 7
