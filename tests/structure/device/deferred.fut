-- A sum that a loop carries, of what kernels compute: one thread of the device adds to it, and the host
-- reads it once, after the loop; one block does it all where there is little.
-- structure soac,gpu: loop.kernel 1, loop.blocks 3
-- ==
-- input { [1f64, 2f64] 3i64 } output { 50f64 [8f64, 16f64] }
-- input { [1f64, 2f64] 0i64 } output { 5f64 [1f64, 2f64] }
entry main [n] (xs: [n]f64) (k: i64) : (f64, [n]f64) =
  loop (total, xs) = (5, xs) for i < k do
    let ys = map (* 2) xs
    in (total + f64.sum xs * 2 + f64.i64 i, ys)
