-- Inverse hyperbolic tangent, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [-0.9f64, -0.5f64, 0.0f64, 0.25f64, 0.9f64] [-1.4722194895832204f64, -0.5493061443340548f64, 0.0f64, 0.25541281188299536f64, 1.4722194895832204f64] }
-- output { [true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.atanh x) y) xs ys

-- ==
-- entry: single
-- input { [-0.8999999761581421f32, -0.5f32, 0.0f32, 0.25f32, 0.8999999761581421f32] } output { [-1.4722194895832204f32, -0.5493061443340548f32, 0.0f32, 0.25541281188299536f32, 1.4722194895832204f32] }
entry single (xs: []f32) = map f32.atanh xs

-- ==
-- entry: half
-- input { [0.0f16, 0.25f16, 0.9f16] } output { [0.0f16, 0.25541281188299536f16, 1.4722194895832204f16] }
entry half (xs: []f16) = map f16.atanh xs
