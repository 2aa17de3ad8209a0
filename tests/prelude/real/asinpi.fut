-- Arc sine over pi, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [-1.0f64, -0.75f64, -0.1f64, 0.0f64, 0.1f64, 0.5f64, 0.9f64, 1.0f64] [-0.5f64, -0.26994654383738415f64, -0.03188428042925993f64, 0.0f64, 0.03188428042925993f64, 0.16666666666666669f64, 0.3564337068712937f64, 0.5f64] }
-- output { [true, true, true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.asinpi x) y) xs ys

-- ==
-- entry: single
-- input { [-1.0f32, -0.75f32, -0.10000000149011612f32, 0.0f32, 0.10000000149011612f32, 0.5f32, 0.8999999761581421f32, 1.0f32] } output { [-0.5f32, -0.26994654383738415f32, -0.03188428042925993f32, 0.0f32, 0.03188428042925993f32, 0.16666666666666669f32, 0.3564337068712937f32, 0.5f32] }
entry single (xs: []f32) = map f32.asinpi xs

-- ==
-- entry: half
-- input { [-0.1f16, 0.0f16, 0.1f16] } output { [-0.03188428042925993f16, 0.0f16, 0.03188428042925993f16] }
entry half (xs: []f16) = map f16.asinpi xs
