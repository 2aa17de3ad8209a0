-- Square root, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [0.001f64, 0.25f64, 0.5f64, 1.0f64, 1.5f64, 2.0f64, 10.0f64, 123.5f64, 0.0f64, -1.0f64] [0.03162277660168379f64, 0.5f64, 0.7071067811865476f64, 1.0f64, 1.224744871391589f64, 1.4142135623730951f64, 3.1622776601683795f64, 11.113055385446435f64, 0.0f64, f64.nan] }
-- output { [true, true, true, true, true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.sqrt x) y) xs ys

-- ==
-- entry: single
-- input { [0.0010000000474974513f32, 0.25f32, 0.5f32, 1.0f32, 1.5f32, 2.0f32, 10.0f32, 123.5f32, 0.0f32, -1.0f32] } output { [0.03162277660168379f32, 0.5f32, 0.7071067811865476f32, 1.0f32, 1.224744871391589f32, 1.4142135623730951f32, 3.1622776601683795f32, 11.113055385446435f32, 0.0f32, f32.nan] }
entry single (xs: []f32) = map f32.sqrt xs

-- ==
-- entry: half
-- input { [0.5f16, 1.0f16, 1.5f16] } output { [0.7071067811865476f16, 1.0f16, 1.224744871391589f16] }
entry half (xs: []f16) = map f16.sqrt xs
