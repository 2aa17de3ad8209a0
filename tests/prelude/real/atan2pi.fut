-- The arc tangent of y over x, over pi.
-- ==
-- input { [1.0f64, 1.0f64, -1.0f64] [-1.0f64, 1.0f64, 0.5f64] [0.75f64, 0.25f64, -0.35241638234956674f64] }
-- output { [true, true, true] }
entry main [n] (xs: [n]f64) (ys: [n]f64) (zs: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map3 (\x y z -> near (f64.atan2pi x y) z) xs ys zs
