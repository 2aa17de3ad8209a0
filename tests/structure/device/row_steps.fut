-- Rows with loops of parallel steps: in one version a block does all steps of its row, on two arrays in
-- shared memory; what a step reads nowhere but where it writes is one array.
-- structure soac,gpu: loop.blocks 4, loop.threads 8
-- ==
-- entry: smoothed
-- input { [[1f64, 2f64, 6f64], [0f64, 4f64, 8f64]] 2i64 } output { [[1.8888888888888886f64, 3.0f64, 4.111111111111111f64], [2.2222222222222223f64, 4.0f64, 5.777777777777778f64]] }
entry smoothed [n][m] (xss: [n][m]f64) (k: i64) : [n][m]f64 =
  map (\xs ->
         loop xs for _s < k do
           tabulate m (\j -> (xs[i64.max 0 (j - 1)] + xs[j] + xs[i64.min (m - 1) (j + 1)]) / 3))
      xss

-- ==
-- entry: decayed
-- input { [[1f64, 2f64], [0f64, 4f64]] 2i64 } output { [[0.3333333333333333f64, 0.6666666666666666f64], [0.0f64, 1.0f64]] }
entry decayed [n][m] (xss: [n][m]f64) (k: i64) : [n][m]f64 =
  map (\xs -> loop xs for _s < k do let s = f64.sum xs in map (\x -> x / s) xs) xss
