-- Writing at indices in two and three dimensions.
-- ==
-- input { [0i64, 1i64, 9i64] [1i64, 0i64, 0i64] [5, 6, 7] } output { [[0, 5], [6, 0]] }
entry main [n] (is: [n]i64) (js: [n]i64) (vs: [n]i32) =
  scatter_2d (replicate 2 (replicate 2 0)) (zip is js) vs

-- ==
-- entry: three
-- input { [0i64, 1i64] [1i64, 0i64] [1i64, 0i64] [5, 6] } output { [[[0, 0], [0, 5]], [[6, 0], [0, 0]]] }
entry three [n] (is: [n]i64) (js: [n]i64) (ks: [n]i64) (vs: [n]i32) =
  scatter_3d (replicate 2 (replicate 2 (replicate 2 0))) (zip3 is js ks) vs
