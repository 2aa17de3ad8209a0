-- Scalars that a loop carries, and an array to which it writes them, do not keep it from the threads: one thread
-- computes them once more, and passes on where it is.
-- structure soac,gpu: loop.kernel 3, loop.blocks 0
-- depth soac,gpu: loop.kernel 1
-- ==
-- input { 3i64 [1f64, 2f64] 0.5f64 } output { [1.375f64, 1.5f64] [0f64, 0.5f64, 1f64] }
entry main [n] (k: i64) (xs: [n]f64) (dt: f64) : ([n]f64, [k]f64) =
  let (x, _, log) =
    loop (x, t, log) = (xs, 0, replicate k 0) for j < k do
      (map (\x -> 0.5 * x + t) x, t + dt, log with [j] = t)
  in (x, log)
