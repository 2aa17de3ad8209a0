-- The gradient of a mean of squares of a ramp of sums: a sum that is a loop of many iterations is computed once and kept
-- for the return sweep, which has one loop of its own.
-- structure sequential,keep_sums: loop 2
-- structure soac,gpu: fun 3
-- ==
-- entry: main
-- input { [[1f64, 2f64, 3f64], [0.5f64, 1f64, -4f64]] [1f64, -2f64, 3f64] }
-- output { [[12f64, -24f64, 36f64], [-6.75f64, 13.5f64, -20.25f64]] [8.625f64, 17.25f64, 63f64] }
entry main [n][m] (xs: [n][m]f64) (w: [m]f64) =
  vjp (\(xs, w) ->
         let ys = map (\x ->
                         let s = loop s = 0 for j < m do if w[j] == 7 then s else s + x[j] * w[j]
                         in if s > 0 then s else 0.5 * s)
                      xs
         in f64.sum (map (\y -> y * y) ys))
      (xs, w) 1
