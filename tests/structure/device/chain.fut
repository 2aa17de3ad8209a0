-- A chain of maps is one kernel.
-- structure soac,flatten,dce: loop.kernel 1, screma 0
-- structure soac,gpu: loop.kernel 1, loop 1
-- ==
-- input { 2f32 [1f32, 2f32] [3f32, 4f32] } output { [25f32, 64f32] }
entry main [n] (a: f32) (xs: [n]f32) (ys: [n]f32) : [n]f32 =
  let axpy = map2 (\x y -> a * x + y) xs ys
  in map (\x -> x * x) axpy
