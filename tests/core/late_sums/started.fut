-- Scalars that are added to others start at 0, or stay scalars.
-- structure soac,late_sums: screma 1, replicate 0
-- ==
-- input { 3i64 [1f64, 2f64] 1f64 } output { [0.125f64, 0.25f64] 3.625f64 6.75f64 }
entry main [n] (k: i64) (xs: [n]f64) (s0: f64) : ([n]f64, f64, f64) =
  loop (xs, s, t) = (xs, s0, 0) for _i < k do
    let xs = map (* 0.5) xs
    in (xs, s + f64.sum xs, s + t)
