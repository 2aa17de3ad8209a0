-- A factor is not left for the end if another scalar reads what it is a factor of.
-- structure soac,late_sums: screma 2, replicate 2
-- ==
-- input { 3i64 [1f64, 2f64] } output { [0.125f64, 0.25f64] -1.3125f64 -1.125f64 }
entry main [n] (k: i64) (xs: [n]f64) : ([n]f64, f64, f64) =
  loop (xs, s, t) = (xs, 0, 0) for _i < k do
    let xs = map (* 0.5) xs
    in (xs, s + f64.sum xs * (-0.5), s)
