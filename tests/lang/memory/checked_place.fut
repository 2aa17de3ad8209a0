-- A row that is written at an index that is checked itself, though the write has nothing to check.
-- ==
-- input { 2i64 7 } output { [[7, 7], [7, 7]] }
-- input { 0i64 7 } error: division by zero
entry main (m: i64) (x: i32) : [m][m]i32 =
  copy (replicate m (replicate m x)) with [0 % m] = copy (replicate m x)

-- ==
-- entry: record
-- input { 2i64 1i64 } output { [[1, 1], [5, 5]] [2, 6] }
entry record (m: i64) (i: i64) : ([m][m]i32, [m]i32) =
  unzip (copy (replicate m (replicate m 1i32, 2i32)) with [i % m] = (replicate m 5, 6))
