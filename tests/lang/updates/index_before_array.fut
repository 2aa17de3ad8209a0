-- Indices of an update are evaluated before the array, too, also those that are slices, and paths
-- that go through fields and indices.
-- ==
-- entry: index
-- input { [2i64, 5i64, 6i64] } output { [9i64, 5i64, 7i64] }

-- ==
-- entry: slice
-- input { [1i64, 3i64, 0i64] } output { [1i64, 8i64, 8i64] }

-- ==
-- entry: path
-- input { [0i64, 1i64] } output { [[4i64, 1i64], [0i64, 5i64]] }

-- ==
-- entry: let_update
-- input { [1i64, 0i64] } output { [0i64, 1i64] }

entry index (a: *[]i64) = (a with [0] = 9) with [a[0]] = 7

entry slice (a: *[3]i64) = (a with [2] = 7) with [a[0]:a[1]] = [8, 8]

type row = {cells: [2]i64}

def bump (rs: *[2]row) (i: i64) (x: i64) : *[2]row = rs with [i] = {cells = [x, x]}

entry path (xs: [2]i64) =
  let rs = map (\i -> {cells = map (+ i) xs}) [0i64, 0]
  let rs = (rs with [0].cells[0] = 4) with [rs[0].cells[1]].cells[1] = rs[1].cells[1] + 4
  in map (.cells) rs

-- the name on the left is the old one on the right, in index and value
entry let_update (a: *[2]i64) =
  let t = a[0]
  let a[a[1]] = a[1]
  let a[1] = t
  in a
