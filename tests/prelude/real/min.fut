-- The smaller argument; a NaN is ignored.
-- ==
-- input { [1.0f64, 2.0f64, f64.nan, 3.0f64, -f64.inf] [2.0f64, 1.0f64, 3.0f64, f64.nan, 0.0f64] [1.0f64, 1.0f64, 3.0f64, 3.0f64, -f64.inf] }
-- output { [true, true, true, true, true] }
entry main [n] (xs: [n]f64) (ys: [n]f64) (zs: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map3 (\x y z -> near (f64.min x y) z) xs ys zs
