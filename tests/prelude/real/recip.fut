-- Reciprocal, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [-4.0f64, -0.5f64, 0.25f64, 1.0f64, 8.0f64] [-0.25f64, -2.0f64, 4.0f64, 1.0f64, 0.125f64] }
-- output { [true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.recip x) y) xs ys

-- ==
-- entry: single
-- input { [-4.0f32, -0.5f32, 0.25f32, 1.0f32, 8.0f32] } output { [-0.25f32, -2.0f32, 4.0f32, 1.0f32, 0.125f32] }
entry single (xs: []f32) = map f32.recip xs

-- ==
-- entry: half
-- input { [0.25f16, 1.0f16, 8.0f16] } output { [4.0f16, 1.0f16, 0.125f16] }
entry half (xs: []f16) = map f16.recip xs
