-- Cube root, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [-8.0f64, -1.0f64, 0.0f64, 1.0f64, 8.0f64, 27.0f64, 2.0f64] [-2.0f64, -1.0f64, 0.0f64, 1.0f64, 2.0f64, 3.0f64, 1.2599210498948732f64] }
-- output { [true, true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.cbrt x) y) xs ys

-- ==
-- entry: single
-- input { [-8.0f32, -1.0f32, 0.0f32, 1.0f32, 8.0f32, 27.0f32, 2.0f32] } output { [-2.0f32, -1.0f32, 0.0f32, 1.0f32, 2.0f32, 3.0f32, 1.2599210498948732f32] }
entry single (xs: []f32) = map f32.cbrt xs

-- ==
-- entry: half
-- input { [0.0f16, 1.0f16, 8.0f16] } output { [0.0f16, 1.0f16, 2.0f16] }
entry half (xs: []f16) = map f16.cbrt xs
