-- Nearest integer, ties to even, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [-2.5f64, -1.5f64, -0.5f64, 0.5f64, 1.5f64, 2.5f64, 0.49f64, 3.7f64, f64.inf] [-2.0f64, -2.0f64, 0.0f64, 0.0f64, 2.0f64, 2.0f64, 0.0f64, 4.0f64, f64.inf] }
-- output { [true, true, true, true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.round x) y) xs ys

-- ==
-- entry: single
-- input { [-2.5f32, -1.5f32, -0.5f32, 0.5f32, 1.5f32, 2.5f32, 0.49000000953674316f32, 3.700000047683716f32, f32.inf] } output { [-2.0f32, -2.0f32, 0.0f32, 0.0f32, 2.0f32, 2.0f32, 0.0f32, 4.0f32, f32.inf] }
entry single (xs: []f32) = map f32.round xs

-- ==
-- entry: half
-- input { [-0.5f16, 0.5f16, 1.5f16] } output { [0.0f16, 0.0f16, 2.0f16] }
entry half (xs: []f16) = map f16.round xs
