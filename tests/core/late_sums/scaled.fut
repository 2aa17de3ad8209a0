-- A factor that all iterations share is left for the end, others go to the rows.
-- structure soac,late_sums: screma 2, replicate 2
-- depth soac,late_sums: screma 1
-- ==
-- input { 3i64 [1f64, 2f64] } output { [0.125f64, 0.25f64] 3.3125f64 1.5f64 }
entry main [n] (k: i64) (xs: [n]f64) : ([n]f64, f64, f64) =
  loop (xs, s, t) = (xs, 2, 0) for i < k do
    let xs = map (* 0.5) xs
    in (xs, s + f64.sum xs / f64.i64 n, t + f64.sum xs * f64.i64 i)
