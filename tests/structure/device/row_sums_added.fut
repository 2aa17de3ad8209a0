-- Sums of rows are added to an accumulator by the blocks that compute them: none of these updates is atomic.
-- structure soac,gpu: loop.atomic 0, loop.blocks 3
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64], [5f64, 6f64]] [1f64, 1f64] [10f64, 20f64, 30f64] }
-- output { [13f64, 27f64, 41f64] }
-- input { empty([0][2]f64) [1f64, 1f64] empty([0]f64) } output { empty([0]f64) }
entry main [n][m] (xss: [n][m]f64) (v: [m]f64) (ys: *[n]f64) : [n]f64 =
  reduce_by_index ys (+) 0 (iota n) (map (\xs -> f64.sum (map2 (*) xs v)) xss)
