-- The length of the hypotenuse.
-- ==
-- input { [3.0f64, 1e+200f64, 0.0f64, 5.0f64] [4.0f64, 1e+200f64, 2.0f64, 12.0f64] [5.0f64, 1.414213562373095e+200f64, 2.0f64, 13.0f64] }
-- output { [true, true, true, true] }
entry main [n] (xs: [n]f64) (ys: [n]f64) (zs: [n]f64) : [n]bool =
  let near x y = x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-13 * f64.abs y
  in map3 (\x y z -> near (f64.hypot x y) z) xs ys zs
