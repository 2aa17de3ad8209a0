-- The power.
-- ==
-- input { [2.0f64, 2.0f64, 0.0f64, f64.nan, 9.0f64] [10.0f64, 0.5f64, 0.0f64, 0.0f64, -0.5f64] [1024.0f64, 1.4142135623730951f64, 1.0f64, 1.0f64, 0.3333333333333333f64] }
-- output { [true, true, true, true, true] }
entry main [n] (xs: [n]f64) (ys: [n]f64) (zs: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map3 (\x y z -> near ((f64.**) x y) z) xs ys zs
