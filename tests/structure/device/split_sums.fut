-- A product of matrices that may have few results: long sums in parts, by slices of both factors.
-- structure soac,gpu: loop.kernel 7, slice 2
-- ==
-- input { [[1f32, 2f32], [3f32, 4f32]] [[5f32, 6f32], [7f32, 8f32]] } output { [[19f32, 22f32], [43f32, 50f32]] }
entry main [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a
