-- Inverse hyperbolic cosine, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [1.0f64, 1.5f64, 2.0f64, 10.0f64] [0.0f64, 0.9624236501192069f64, 1.3169578969248166f64, 2.993222846126381f64] }
-- output { [true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.acosh x) y) xs ys

-- ==
-- entry: single
-- input { [1.0f32, 1.5f32, 2.0f32, 10.0f32] } output { [0.0f32, 0.9624236501192069f32, 1.3169578969248166f32, 2.993222846126381f32] }
entry single (xs: []f32) = map f32.acosh xs

-- ==
-- entry: half
-- input { [2.0f16, 10.0f16] } output { [1.3169578969248166f16, 2.993222846126381f16] }
entry half (xs: []f16) = map f16.acosh xs
