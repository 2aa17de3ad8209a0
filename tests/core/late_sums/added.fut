-- A sum over rows that a loop only adds to a scalar is added row by row, and summed after the loop.
-- structure soac: screma 1, replicate 0, loop 1
-- depth soac: screma 1
-- structure soac,late_sums: screma 2, replicate 1, loop 1
-- structure soac,gpu: loop.kernel 1, loop.blocks 2
-- ==
-- input { 2i64 [1f64, 2f64] 5f64 } output { [0.25f64, 0.5f64] 7.25f64 }
-- input { 0i64 [1f64, 2f64] 5f64 } output { [1f64, 2f64] 5f64 }
entry main [n] (k: i64) (xs: [n]f64) (s0: f64) : ([n]f64, f64) =
  loop (xs, s) = (xs, s0) for _i < k do
    let xs = map (* 0.5) xs
    in (xs, s + f64.sum xs)
