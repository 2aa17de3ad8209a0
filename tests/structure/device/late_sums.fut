-- The gradient of a loop over time with respect to parameters that all rows share: both sweeps run in threads, one kernel
-- each, and the adjoints are summed after them; a third one makes the array of the two sums.
-- structure soac,gpu: loop.kernel 3, loop.blocks 2, loop.threads 2, copy 0
-- ==
-- input { [0.5f64, 0.25f64] [1f64, 2f64] [[1f64, 2f64], [0f64, 1f64]] } output { [22.875f64, 45.9375f64] }
entry main [n][t] (p: [2]f64) (x0: [n]f64) (z: [t][n]f64) : [2]f64 =
  let f (p: [2]f64) =
    f64.sum (loop x = x0 for zs in z do map2 (\x z -> x * (1 + p[0] * z) + p[1] * x * x) x zs)
  in vjp f p 1
