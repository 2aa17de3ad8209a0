-- Histograms, scatters, filters and irregular maps on arrays of arrays.
-- ==
-- entry: vector_hist
-- input { [0i64,2i64,0i64,5i64,-1i64] [[1i32,2i32],[3i32,4i32],[5i32,6i32],[7i32,8i32],[9i32,10i32]] }
-- output { [[6,8],[0,0],[3,4]] }

-- ==
-- entry: plane_hist
-- input { [0i64,1i64,1i64,0i64] [1i64,0i64,0i64,3i64] [1,2,3,4] }
-- output { [[0,1],[5,0]] }

-- ==
-- entry: row_scatter
-- input { [2i64,0i64,9i64] [[1,2],[3,4],[5,6]] }
-- output { [[3,4],[0,0],[1,2]] }

-- ==
-- entry: kept
-- input { [5,-1,7,-2,9] }
-- output { [10,14,18] [-1,-2] }

-- ==
-- entry: ranges
-- input { [3i64,0i64,2i64] }
-- output { [0i64,1i64,2i64,0i64,1i64] }

-- ==
-- entry: argmax
-- input { [3,9,2,9] }
-- output { 1i64 9 }

entry vector_hist [n][m] (is: [n]i64) (vs: [n][m]i32) =
  reduce_by_index (replicate 3 (replicate m 0)) (map2 (+)) (replicate m 0) is vs

entry plane_hist [n] (is: [n]i64) (js: [n]i64) (vs: [n]i32) =
  reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 (zip is js) vs

entry row_scatter [n][m] (is: [n]i64) (vs: [n][m]i32) =
  scatter (replicate 3 (replicate m 0)) is vs

entry kept (xs: []i32) =
  let (a, b) = partition (> 0) xs
  in (map (* 2) a, b)

entry ranges [n] (ks: [n]i64) =
  loop acc = [] for k in ks do acc ++ iota k

entry argmax [n] (xs: [n]i32) =
  reduce (\(i, x) (j, y) -> if x >= y then (i, x) else (j, y)) (0, i32.lowest) (zip (iota n) xs)
