-- Classification of bags of words: the mean of rows of a table, a linear layer, logistic loss.
entry primal [v][d][b][l]
             (table: [v][d]f32) (w: [d]f32) (words: [b][l]i64) (label: [b]f32) : f32 =
  let mean ids =
    map (\column -> f32.sum column / f32.i64 l) (transpose (map (\i -> table[i]) ids))
  let score ids = f32.sum (map2 (*) w (mean ids))
  let loss s y = f32.log (1 + f32.exp (-y * s))
  in f32.sum (map2 (\ids y -> loss (score ids) y) words label) / f32.i64 b

entry gradient [v][d][b][l]
               (table: [v][d]f32) (w: [d]f32) (words: [b][l]i64) (label: [b]f32) : ([v][d]f32, [d]f32) =
  vjp (\(table, w) -> primal table w words label) (table, w) 1
