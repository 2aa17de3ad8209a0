-- One scalar that gets sums over different numbers of rows.
-- structure soac,late_sums: screma 2, replicate 0
-- ==
-- input { 2i64 [1f64, 2f64] [1f64, 2f64, 3f64] } output { [0.25f64, 0.5f64] [4f64, 8f64, 12f64] 38.25f64 }
entry main [n][m] (k: i64) (xs: [n]f64) (ys: [m]f64) : ([n]f64, [m]f64, f64) =
  loop (xs, ys, s) = (xs, ys, 0) for _i < k do
    let xs = map (* 0.5) xs
    let ys = map (* 2) ys
    in (xs, ys, s + f64.sum xs + f64.sum ys)
