-- Gamma function, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [0.0f64, -1.0f64, 0.5f64, 1.0f64, 2.5f64, 5.0f64, -0.5f64] [f64.inf, f64.nan, 1.7724538509055159f64, 1.0f64, 1.3293403881791372f64, 24.0f64, -3.544907701811032f64] }
-- output { [true, true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.gamma x) y) xs ys

-- ==
-- entry: single
-- input { [0.0f32, -1.0f32, 0.5f32, 1.0f32, 2.5f32, 5.0f32, -0.5f32] } output { [f32.inf, f32.nan, 1.7724538509055159f32, 1.0f32, 1.3293403881791372f32, 24.0f32, -3.544907701811032f32] }
entry single (xs: []f32) = map f32.gamma xs

-- ==
-- entry: half
-- input { [0.5f16, 1.0f16, 2.5f16] } output { [1.7724538509055159f16, 1.0f16, 1.3293403881791372f16] }
entry half (xs: []f16) = map f16.gamma xs
