-- Cosine of pi times the argument, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [-0.25f64, 0.0f64, 0.1f64, 0.25f64, 0.4f64] [0.7071067811865476f64, 1.0f64, 0.9510565162951535f64, 0.7071067811865476f64, 0.30901699437494745f64] }
-- output { [true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.cospi x) y) xs ys

-- ==
-- entry: single
-- input { [-0.25f32, 0.0f32, 0.10000000149011612f32, 0.25f32, 0.4000000059604645f32] } output { [0.7071067811865476f32, 1.0f32, 0.9510565162951535f32, 0.7071067811865476f32, 0.30901699437494745f32] }
entry single (xs: []f32) = map f32.cospi xs

-- ==
-- entry: half
-- input { [0.1f16, 0.25f16, 0.4f16] } output { [0.9510565162951535f16, 0.7071067811865476f16, 0.30901699437494745f16] }
entry half (xs: []f16) = map f16.cospi xs
