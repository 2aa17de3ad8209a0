-- What everything else is made of, one at a time.
entry map_f32 [n] (xs: [n]f32) : [n]f32 = map (\x -> x * 2 + 1) xs
entry copy_f32 [n] (xs: [n]f32) : *[n]f32 = copy xs
entry sum_f32 [n] (xs: [n]f32) : f32 = f32.sum xs
entry sum_f64 [n] (xs: [n]f64) : f64 = f64.sum xs
entry max_i32 [n] (xs: [n]i32) : i32 = i32.maximum xs
entry dot_f64 [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)
entry sum_rows [n][m] (xs: [n][m]f32) : [n]f32 = map f32.sum xs
entry sum_columns [n][m] (xs: [n][m]f32) : [m]f32 = map f32.sum (transpose xs)
entry scan_i32 [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs
entry scan_f32 [n] (xs: [n]f32) : [n]f32 = scan (+) 0 xs
entry scan_rows [n][m] (xs: [n][m]f32) : [n][m]f32 = map (scan (+) 0) xs
entry scan_segments [n] (starts: [n]bool) (xs: [n]f32) : [n]f32 =
  map (.0) (scan (\(a, f) (b, g) -> (if g then b else a + b, f || g)) (0, false) (zip xs starts))
entry transpose_f32 [n][m] (xs: [n][m]f32) : *[m][n]f32 = copy (transpose xs)
entry filter_i32 [n] (xs: [n]i32) : []i32 = filter (\x -> x % 2 == 0) xs
entry histogram [n] (k: i64) (is: [n]i64) : [k]i32 =
  reduce_by_index (replicate k 0) (+) 0 is (map (const 1) is)
entry histogram_f32 [n] (k: i64) (is: [n]i64) (xs: [n]f32) : [k]f32 =
  reduce_by_index (replicate k 0) (+) 0 is xs
entry histogram_rows [n][m] (k: i64) (is: [n][m]i32) (xs: [n][m]f32) : [n][k]f32 =
  map2 (\is xs -> reduce_by_index (replicate k 0) (+) 0 (map i64.i32 is) xs) is xs
entry histogram_of_rows [n] (k: i64) (is: [n]i32) (xs: [n][16]f32) : [k][16]f32 =
  reduce_by_index (replicate k (replicate 16 0)) (map2 (+)) (replicate 16 0) (map i64.i32 is) xs
entry scatter_f32 [n] (is: [n]i64) (xs: [n]f32) : *[n]f32 = scatter (replicate n 0) is xs
entry gather_f32 [n] (is: [n]i64) (xs: [n]f32) : [n]f32 = map (\i -> xs[i]) is
entry matmul_f32 [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
entry matmul_f64 [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
entry matvec_f32 [n][m] (a: [n][m]f32) (x: [m]f32) : [n]f32 =
  map (\r -> f32.sum (map2 (*) r x)) a
entry small (n: i64) : [n]i32 = map i32.i64 (iota n)
