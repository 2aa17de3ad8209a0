-- Rows and columns of a matrix by one number, whose neighbours are in range where conditions say so: all elements of
-- the matrix are in memory, so n * m does not wrap around.  Four sizes do not either.
-- structure soac: assert 0
-- ==
-- entry: flow
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] } output { [6f32, 9f32, 8f32, 6f32, 12f32, 8f32] }
entry flow [n][m] (k: [n][m]f32) : [n * m]f32 =
  let u = flatten k
  let at i j =
    let p = i * m + j
    let south = if i == n - 1 then 0 else u[p + m]
    let north = if i == 0 then 0 else u[p - m]
    let west = if j == 0 then 0 else u[p - 1]
    let east = if j == m - 1 then 0 else u[p + 1]
    in north + south + west + east
  in flatten (tabulate_2d n m at)

-- ==
-- entry: four
-- input { [[[[1f32], [2f32]]], [[[3f32], [4f32]]]] } output { [[[[2f32], [4f32]]], [[[6f32], [8f32]]]] }
entry four [a][b][c][d] (k: [a][b][c][d]f32) : [a][b][c][d]f32 =
  let u = flatten (flatten (flatten k))
  in map2 (map2 (map2 (map2 (+))))
          k
          (tabulate a (\i -> tabulate_3d b c d (\j k l -> u[((i * b + j) * c + k) * d + l])))
