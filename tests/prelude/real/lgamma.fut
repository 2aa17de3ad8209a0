-- Logarithm of the gamma function, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [0.5f64, 1.0f64, 2.5f64, 5.0f64, -0.5f64, 100.0f64] [0.5723649429247004f64, 0.0f64, 0.2846828704729196f64, 3.178053830347945f64, 1.265512123484645f64, 359.1342053695754f64] }
-- output { [true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.lgamma x) y) xs ys

-- ==
-- entry: single
-- input { [0.5f32, 1.0f32, 2.5f32, 5.0f32, -0.5f32, 100.0f32] } output { [0.5723649429247004f32, 0.0f32, 0.2846828704729196f32, 3.178053830347945f32, 1.265512123484645f32, 359.1342053695754f32] }
entry single (xs: []f32) = map f32.lgamma xs

-- ==
-- entry: half
-- input { [2.5f16, 5.0f16, -0.5f16] } output { [0.2846828704729196f16, 3.178053830347945f16, 1.265512123484645f16] }
entry half (xs: []f16) = map f16.lgamma xs
