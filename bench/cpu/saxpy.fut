-- A chain of elementwise operations, each written as a step of its own.
def axpy [n] (a: f32) (xs: [n]f32) (ys: [n]f32) : [n]f32 = map2 (\x y -> a * x + y) xs ys

entry main [n] (a: f32) (xs: [n]f32) (ys: [n]f32) : [n]f32 =
  let zs = axpy a xs ys
  let ws = axpy (-a) zs xs
  let vs = map2 (*) zs ws
  in axpy 0.5 vs zs
