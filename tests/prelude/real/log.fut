-- Natural logarithm, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [0.001f64, 0.25f64, 0.5f64, 1.0f64, 1.5f64, 2.0f64, 10.0f64, 123.5f64, 0.0f64, -1.0f64] [-6.907755278982137f64, -1.3862943611198906f64, -0.6931471805599453f64, 0.0f64, 0.4054651081081644f64, 0.6931471805599453f64, 2.302585092994046f64, 4.816241156068032f64, -f64.inf, f64.nan] }
-- output { [true, true, true, true, true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.log x) y) xs ys

-- ==
-- entry: single
-- input { [0.0010000000474974513f32, 0.25f32, 0.5f32, 1.0f32, 1.5f32, 2.0f32, 10.0f32, 123.5f32, 0.0f32, -1.0f32] } output { [-6.907755278982137f32, -1.3862943611198906f32, -0.6931471805599453f32, 0.0f32, 0.4054651081081644f32, 0.6931471805599453f32, 2.302585092994046f32, 4.816241156068032f32, -f32.inf, f32.nan] }
entry single (xs: []f32) = map f32.log xs

-- ==
-- entry: half
-- input { [0.5f16, 1.0f16, 1.5f16] } output { [-0.6931471805599453f16, 0.0f16, 0.4054651081081644f16] }
entry half (xs: []f16) = map f16.log xs
