-- Rows replaced one by one need no second matrix: the row that all others are compared with is
-- copied before.
-- structure soac,c: alloc 2, copy 2
-- ==
-- input { [[0f32, 4f32, 9f32], [1f32, 0f32, 2f32], [5f32, 7f32, 0f32]] }
-- output { [[0f32, 4f32, 6f32], [1f32, 0f32, 2f32], [5f32, 7f32, 0f32]] }
-- input { empty([0][0]f32) } output { empty([0][0]f32) }
entry main [n] (d: [n][n]f32) : [n][n]f32 =
  loop d for k < n do
    map (\row -> map2 (\ij kj -> f32.min ij (row[k] + kj)) row d[k]) d
