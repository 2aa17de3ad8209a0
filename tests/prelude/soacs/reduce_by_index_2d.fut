-- Histograms in two and three dimensions.
-- ==
-- input { [0i64, 1i64, 1i64, 2i64] [1i64, 0i64, 0i64, 0i64] [1, 2, 3, 4] } output { [[0, 1], [5, 0]] }
entry main [n] (is: [n]i64) (js: [n]i64) (vs: [n]i32) =
  reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 (zip is js) vs

-- ==
-- entry: three
-- input { [0i64, 1i64, 1i64] [1i64, 0i64, 0i64] [0i64, 1i64, 1i64] [1, 2, 3] } output { [[[0, 0], [1, 0]], [[0, 5], [0, 0]]] }
entry three [n] (is: [n]i64) (js: [n]i64) (ks: [n]i64) (vs: [n]i32) =
  reduce_by_index_3d (replicate 2 (replicate 2 (replicate 2 0))) (+) 0 (zip3 is js ks) vs
