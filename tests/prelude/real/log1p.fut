-- Logarithm of one more, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [-0.5f64, 0.0f64, 1e-20f64, 0.5f64, 3.0f64] [-0.6931471805599453f64, 0.0f64, 1e-20f64, 0.4054651081081644f64, 1.3862943611198906f64] }
-- output { [true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.log1p x) y) xs ys

-- ==
-- entry: single
-- input { [-0.5f32, 0.0f32, 9.999999682655225e-21f32, 0.5f32, 3.0f32] } output { [-0.6931471805599453f32, 0.0f32, 1e-20f32, 0.4054651081081644f32, 1.3862943611198906f32] }
entry single (xs: []f32) = map f32.log1p xs

-- ==
-- entry: half
-- input { [1e-20f16, 0.5f16, 3.0f16] } output { [1e-20f16, 0.4054651081081644f16, 1.3862943611198906f16] }
entry half (xs: []f16) = map f16.log1p xs
