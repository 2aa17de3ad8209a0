-- The same in two dimensions, with another way to say where the border is.
-- structure soac: assert 0
-- ==
-- input { [[1f32, 1f32, 1f32], [1f32, 1f32, 1f32], [1f32, 1f32, 1f32]] } output { [[0f32, 0f32, 0f32], [0f32, 4f32, 0f32], [0f32, 0f32, 0f32]] }
entry main [n] [m] (a: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j ->
    if i > 0 && i < n - 1 && j > 0 && j < m - 1
    then a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]
    else 0)
