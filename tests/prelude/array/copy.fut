-- Copies.
-- ==
-- input { [1, 2] } output { [1, 2] [9, 2] }
entry main (xs: []i32) = let ys = copy xs in (xs, ys with [0] = 9)

-- ==
-- entry: record
-- input { [1, 2] } output { [1, 2] [9, 2] }
entry record (xs: []i32) =
  let r = copy {a = xs, b = 3i32}
  let ys = r.a with [0] = 9
  in (xs, ys)

-- ==
-- entry: manifested
-- input { [[1, 2], [3, 4]] } output { [[1, 3], [2, 4]] }
entry manifested (xss: [][]i32) = manifest (transpose xss)
