-- Integer part, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [-2.7f64, -0.3f64, 0.0f64, 0.3f64, 2.7f64, 100.9f64] [-2.0f64, 0.0f64, 0.0f64, 0.0f64, 2.0f64, 100.0f64] }
-- output { [true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.trunc x) y) xs ys

-- ==
-- entry: single
-- input { [-2.700000047683716f32, -0.30000001192092896f32, 0.0f32, 0.30000001192092896f32, 2.700000047683716f32, 100.9000015258789f32] } output { [-2.0f32, 0.0f32, 0.0f32, 0.0f32, 2.0f32, 100.0f32] }
entry single (xs: []f32) = map f32.trunc xs

-- ==
-- entry: half
-- input { [0.0f16, 0.3f16, 2.7f16] } output { [0.0f16, 0.0f16, 2.0f16] }
entry half (xs: []f16) = map f16.trunc xs
