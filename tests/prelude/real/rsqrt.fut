-- One over the square root, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [0.001f64, 0.25f64, 0.5f64, 1.0f64, 1.5f64, 2.0f64, 10.0f64, 123.5f64] [31.622776601683796f64, 2.0f64, 1.414213562373095f64, 1.0f64, 0.8164965809277261f64, 0.7071067811865475f64, 0.31622776601683794f64, 0.0899842541331695f64] }
-- output { [true, true, true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.rsqrt x) y) xs ys

-- ==
-- entry: single
-- input { [0.0010000000474974513f32, 0.25f32, 0.5f32, 1.0f32, 1.5f32, 2.0f32, 10.0f32, 123.5f32] } output { [31.622776601683796f32, 2.0f32, 1.414213562373095f32, 1.0f32, 0.8164965809277261f32, 0.7071067811865475f32, 0.31622776601683794f32, 0.0899842541331695f32] }
entry single (xs: []f32) = map f32.rsqrt xs

-- ==
-- entry: half
-- input { [0.5f16, 1.0f16, 1.5f16] } output { [1.414213562373095f16, 1.0f16, 0.8164965809277261f16] }
entry half (xs: []f16) = map f16.rsqrt xs
