-- Logarithm to base 10, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [0.001f64, 0.25f64, 0.5f64, 1.0f64, 1.5f64, 2.0f64, 10.0f64, 123.5f64, 0.0f64] [-3.0f64, -0.6020599913279624f64, -0.3010299956639812f64, 0.0f64, 0.17609125905568124f64, 0.3010299956639812f64, 1.0f64, 2.0916669575956846f64, -f64.inf] }
-- output { [true, true, true, true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.log10 x) y) xs ys

-- ==
-- entry: single
-- input { [0.0010000000474974513f32, 0.25f32, 0.5f32, 1.0f32, 1.5f32, 2.0f32, 10.0f32, 123.5f32, 0.0f32] } output { [-3.0f32, -0.6020599913279624f32, -0.3010299956639812f32, 0.0f32, 0.17609125905568124f32, 0.3010299956639812f32, 1.0f32, 2.0916669575956846f32, -f32.inf] }
entry single (xs: []f32) = map f32.log10 xs

-- ==
-- entry: half
-- input { [0.5f16, 1.0f16, 1.5f16] } output { [-0.3010299956639812f16, 0.0f16, 0.17609125905568124f16] }
entry half (xs: []f16) = map f16.log10 xs
