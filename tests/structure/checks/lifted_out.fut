-- The check of an inner sum's indices is the same for all rows and columns: it is made before these, and the sum is
-- one of products that is tiled.
-- depth sequential,c: if 0
-- ==
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] 1i64 2i64 } output { [[13f32, 28f32], [28f32, 61f32]] }
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] 2i64 2i64 } error: out of bounds
entry main [n] [m] (a: [n][m]f32) (from: i64) (k: i64) : [n][n]f32 =
  tabulate_2d n n (\i j -> f32.sum (map (\c -> a[i, from + c] * a[j, from + c]) (iota k)))
