-- Each plane of a table is made from the one before it: in its place at once, since nothing that is
-- read there is overwritten.  A copy of the first plane is left; where planes may be the same, one of
-- each.
-- structure soac,gpu,gpu_mem: copies 3

-- ==
-- entry: planes
-- input { 2i64 [[2.0, 3.0], [4.0, 5.0]] }
-- output { [[[2.0, 3.0], [4.0, 5.0]], [[-2.0, -3.0], [-4.0, -7.0]], [[-6.0, -9.0], [-12.0, -19.0]]] }
entry planes [k][m] (n: i64) (first: [k][m]f64) : [][k][m]f64 =
  let table = replicate (n + 1) (replicate k (replicate m 0))
  let table = table with [0] = first
  in loop table for j < n do
       let now = table[j]
       in table with [j + 1] = map2 (\a row -> map2 (\v b -> v - a * b) row now[0]) now[:, 0] now

-- ==
-- entry: over
-- input { 2i64 [[2.0, 3.0], [4.0, 5.0]] }
-- output { [[[-6.0, -9.0], [-12.0, -19.0]], [[-2.0, -3.0], [-4.0, -7.0]], [[0.0, 0.0], [0.0, 0.0]]] }
-- input { 1i64 [[2.0, 3.0], [4.0, 5.0]] }
-- output { [[[-2.0, -3.0], [-4.0, -7.0]], [[0.0, 0.0], [0.0, 0.0]]] }
entry over [k][m] (n: i64) (first: [k][m]f64) : [][k][m]f64 =
  let table = replicate (n + 1) (replicate k (replicate m 0))
  let table = table with [0] = first
  in loop table for j < n do
       let now = table[j]
       in table with [(j + 1) % n] = map2 (\a row -> map2 (\v b -> v - a * b) row now[0]) now[:, 0] now
