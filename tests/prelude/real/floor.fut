-- Next integer below, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [-2.5f64, -1.25f64, -0.3f64, 0.0f64, 0.3f64, 0.75f64, 1.0f64, 1.5f64, 2.0f64, 3.25f64, -f64.inf, f64.nan] [-3.0f64, -2.0f64, -1.0f64, 0.0f64, 0.0f64, 0.0f64, 1.0f64, 1.0f64, 2.0f64, 3.0f64, -f64.inf, f64.nan] }
-- output { [true, true, true, true, true, true, true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.floor x) y) xs ys

-- ==
-- entry: single
-- input { [-2.5f32, -1.25f32, -0.30000001192092896f32, 0.0f32, 0.30000001192092896f32, 0.75f32, 1.0f32, 1.5f32, 2.0f32, 3.25f32, -f32.inf, f32.nan] } output { [-3.0f32, -2.0f32, -1.0f32, 0.0f32, 0.0f32, 0.0f32, 1.0f32, 1.0f32, 2.0f32, 3.0f32, -f32.inf, f32.nan] }
entry single (xs: []f32) = map f32.floor xs

-- ==
-- entry: half
-- input { [-0.3f16, 0.0f16, 0.3f16] } output { [-1.0f16, 0.0f16, 0.0f16] }
entry half (xs: []f16) = map f16.floor xs
