-- Logistic regression on a sparse matrix: all products at once, then added up by row.
entry primal [z][n][d]
             (vals: [z]f32) (cols: [z]i32) (rows: [z]i32) (_starts: []i64) (y: [n]f32) (w: [d]f32) : f32 =
  let products = map2 (\v c -> v * w[c]) vals cols
  let scores = reduce_by_index (replicate n 0) (+) 0 (map i64.i32 rows) products
  in f32.sum (map2 (\s t -> f32.log1p (f32.exp (-(s * t)))) scores y) / f32.i64 n

entry gradient [z][n][d]
               (vals: [z]f32) (cols: [z]i32) (rows: [z]i32) (starts: []i64) (y: [n]f32) (w: [d]f32)
             : [d]f32 =
  vjp (\w -> primal vals cols rows starts y w) w 1
