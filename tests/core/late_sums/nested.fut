-- Sums of sums are added element by element.
-- structure soac,late_sums: screma 3, replicate 1
-- structure soac,gpu: loop.kernel 2, loop.blocks 2
-- ==
-- input { 2i64 [[1f64, 2f64], [3f64, 4f64]] } output { [[0.25f64, 0.5f64], [0.75f64, 1f64]] 7.5f64 }
entry main [n][m] (k: i64) (xs: [n][m]f64) : ([n][m]f64, f64) =
  loop (xs, s) = (xs, 0) for _i < k do
    let xs = map (map (* 0.5)) xs
    in (xs, s + f64.sum (map f64.sum xs))
