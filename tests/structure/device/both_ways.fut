-- An array that blocks read by rows and by columns is turned for the latter.
-- structure soac,gpu: rearrange 2, copy 1
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] }
-- output { [[13f64, 20f64, 27f64], [43f64, 56f64, 69f64]] }
entry main [n][d] (w: [n][n]f64) (x: [n][d]f64) : [n][d]f64 =
  tabulate_2d n d (\i k -> f64.sum (map (\j -> x[j, k] * w[i, j] + x[i, k] * w[j, i]) (iota n)))
