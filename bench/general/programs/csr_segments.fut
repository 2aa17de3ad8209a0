-- Logistic regression on a sparse matrix by a segmented scan: flags where rows begin, the last sum of
-- each row is its score.
def segmented_sum [n] (flags: [n]bool) (xs: [n]f64) : [n]f64 =
  let op (f1, x1) (f2, x2) = (f1 || f2, if f2 then x2 else x1 + x2)
  in (unzip (scan op (false, 0) (zip flags xs))).1

entry primal [z][n][d]
             (vals: [z]f64) (cols: [z]i32) (_rows: [z]i32) (starts: []i64) (y: [n]f64) (w: [d]f64) : f64 =
  let begin = scatter (replicate z false) starts[:n] (replicate n true)
  let sums = segmented_sum begin (map2 (\v c -> v * w[c]) vals cols)
  let scores = tabulate n (\i -> sums[starts[i + 1] - 1])
  let softplus x = f64.max x 0 + f64.log1p (f64.exp (-(f64.abs x)))
  in f64.sum (map2 (\s t -> softplus (-s * t)) scores y) / f64.i64 n

entry gradient [z][n][d]
               (vals: [z]f64) (cols: [z]i32) (rows: [z]i32) (starts: []i64) (y: [n]f64) (w: [d]f64)
             : [d]f64 =
  vjp (primal vals cols rows starts y) w 1
