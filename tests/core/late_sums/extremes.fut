-- Minima and maxima, beside sums.
-- structure soac,late_sums: screma 2, replicate 3
-- ==
-- input { 2i64 [1f64, 2f64] 0.3f64 } output { [0.25f64, 0.5f64] 0.25f64 1f64 2.25f64 }
entry main [n] (k: i64) (xs: [n]f64) (s0: f64) : ([n]f64, f64, f64, f64) =
  loop (xs, lo, hi, s) = (xs, s0, s0, 0) for _i < k do
    let xs = map (* 0.5) xs
    in (xs, f64.min lo (f64.minimum xs), f64.max (f64.maximum xs) hi, s + f64.sum xs)
