-- Histograms.
-- ==
-- input { [0i64, 1i64, 0i64, 7i64] [1.0, 2.0, 3.0, 4.0] } output { [2.0, 3.0, 2.0, 0.0] [3.0, 1.0, 1.0, 0.0] }
entry main [n] (is: [n]i64) (vs: [n]f64) =
  let w = [2, 3]
  let f op ne v = f64.sum (map2 (*) w (reduce_by_index (replicate 2 ne) op ne is v))
  in (vjp (f (+) 0) vs 1, vjp (\v -> let h = hist (*) 1 2 is v in h[0] + h[1] * 0.5 * 2) vs 1)
