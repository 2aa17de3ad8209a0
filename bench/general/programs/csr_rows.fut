-- Logistic regression on a sparse matrix in compressed rows: a map over rows with a loop over the
-- elements of each.
entry primal [z][n][d]
             (vals: [z]f32) (cols: [z]i32) (_rows: [z]i32) (starts: []i64) (y: [n]f32) (w: [d]f32) : f32 =
  let dot i =
    loop s = 0 for k in starts[i]..<starts[i + 1] do
      s + vals[k] * w[i64.i32 cols[k]]
  in f32.sum (map2 (\i yi -> f32.log (1 + f32.exp (-yi * dot i))) (iota n) y) / f32.i64 n

entry gradient [z][n][d]
               (vals: [z]f32) (cols: [z]i32) (rows: [z]i32) (starts: []i64) (y: [n]f32) (w: [d]f32)
             : [d]f32 =
  vjp (primal vals cols rows starts y) w 1
