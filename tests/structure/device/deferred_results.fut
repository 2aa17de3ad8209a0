-- Results are read last: the maximum, which a kernel needs too, is read by that kernel, and by the host at the end.
-- A single part of a sum is not copied.
-- structure soac,gpu: loop.kernel 1, loop.blocks 8, index 15
-- structure soac,gpu,gpu_mem: copies 0
-- ==
-- entry: main
-- input { [1f64, 2f64] } output { 2.313261687518223f64 2f64 }
-- input { [0.5f64] } output { 0.5f64 0.5f64 }
entry main [n] (xs: [n]f64) : (f64, f64) =
  let top = f64.maximum xs
  in (top + f64.log (f64.sum (map (\x -> f64.exp (x - top)) xs)), top)

-- One that is computed from two elements is computed by the device.
-- ==
-- entry: sum
-- input { [1f64, 2f64] } output { 2.313261687518223f64 }
entry sum [n] (xs: [n]f64) : f64 =
  let top = f64.maximum xs
  in top + f64.log (f64.sum (map (\x -> f64.exp (x - top)) xs))
