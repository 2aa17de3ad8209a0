-- Arc sine, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [-1.0f64, -0.75f64, -0.1f64, 0.0f64, 0.1f64, 0.5f64, 0.9f64, 1.0f64] [-1.5707963267948966f64, -0.848062078981481f64, -0.1001674211615598f64, 0.0f64, 0.1001674211615598f64, 0.5235987755982989f64, 1.1197695149986342f64, 1.5707963267948966f64] }
-- output { [true, true, true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.asin x) y) xs ys

-- ==
-- entry: single
-- input { [-1.0f32, -0.75f32, -0.10000000149011612f32, 0.0f32, 0.10000000149011612f32, 0.5f32, 0.8999999761581421f32, 1.0f32] } output { [-1.5707963267948966f32, -0.848062078981481f32, -0.1001674211615598f32, 0.0f32, 0.1001674211615598f32, 0.5235987755982989f32, 1.1197695149986342f32, 1.5707963267948966f32] }
entry single (xs: []f32) = map f32.asin xs

-- ==
-- entry: half
-- input { [-0.1f16, 0.0f16, 0.1f16] } output { [-0.1001674211615598f16, 0.0f16, 0.1001674211615598f16] }
entry half (xs: []f16) = map f16.asin xs
