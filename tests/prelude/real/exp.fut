-- Exponential, to nearly full precision in f64.
-- ==
-- entry: wide
-- input { [-2.5f64, -1.25f64, -0.3f64, 0.0f64, 0.3f64, 0.75f64, 1.0f64, 1.5f64, 2.0f64, 3.25f64, -f64.inf, f64.inf, f64.nan, 800.0f64] [0.0820849986238988f64, 0.2865047968601901f64, 0.7408182206817179f64, 1.0f64, 1.3498588075760032f64, 2.117000016612675f64, 2.718281828459045f64, 4.4816890703380645f64, 7.38905609893065f64, 25.790339917193062f64, 0.0f64, f64.inf, f64.nan, f64.inf] }
-- output { [true, true, true, true, true, true, true, true, true, true, true, true, true, true] }
entry wide [n] (xs: [n]f64) (ys: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map2 (\x y -> near (f64.exp x) y) xs ys

-- ==
-- entry: single
-- input { [-2.5f32, -1.25f32, -0.30000001192092896f32, 0.0f32, 0.30000001192092896f32, 0.75f32, 1.0f32, 1.5f32, 2.0f32, 3.25f32, -f32.inf, f32.inf, f32.nan, 800.0f32] } output { [0.0820849986238988f32, 0.2865047968601901f32, 0.7408182206817179f32, 1.0f32, 1.3498588075760032f32, 2.117000016612675f32, 2.718281828459045f32, 4.4816890703380645f32, 7.38905609893065f32, 25.790339917193062f32, 0.0f32, f32.inf, f32.nan, f32.inf] }
entry single (xs: []f32) = map f32.exp xs

-- ==
-- entry: half
-- input { [-0.3f16, 0.0f16, 0.3f16] } output { [0.7408182206817179f16, 1.0f16, 1.3498588075760032f16] }
entry half (xs: []f16) = map f16.exp xs
