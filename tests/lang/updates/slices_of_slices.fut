-- Updates of parts of slices: the size of a slice that is indexed further does not matter.
-- ==
-- entry: element
-- input { } output { [0i64, 1i64, 99i64, 3i64, 4i64] }
entry element = (iota 5) with [1:][1] = 99

-- ==
-- entry: rows
-- input { } output {
--   [[0i64, 1i64, 2i64, 3i64], [0i64, 1i64, 7i64, 8i64], [0i64, 1i64, 2i64, 3i64]]
-- }
entry rows = let xs = replicate 3 (iota 4) in xs with [1:][0][2:] = [7, 8]

-- ==
-- entry: field
-- input { } output { [0i64, 50i64, 2i64, 3i64] }
entry field = let r = {a = iota 4, b = 1i32} in (r with a[1:][0] = 50).a

-- ==
-- entry: bound
-- input { } output { [0i64, 1i64, 8i64, 9i64, 4i64, 5i64] }
entry bound =
  let xs = iota 6
  let xs[2:][:2] = [8, 9]
  in xs

-- ==
-- entry: strided
-- input { } output { [0i64, 1i64, 2i64, 3i64, 9i64, 5i64] }
entry strided = (iota 6) with [::2][2] = 9

-- ==
-- entry: beyond
-- input { } error: out of bounds
entry beyond = (iota 5) with [1:][4] = 99
