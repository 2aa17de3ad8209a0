-- A branch around all of a row stays: what it leaves out is not added as zeros.
-- structure soac: upd_acc 1, if 1
-- depth soac: if 2, upd_acc 3
-- ==
-- input { [1f64,2f64] [[1f64,2f64],[3f64,4f64]] [true,false] } output { [1.0f64, 2.0f64] }
entry main [n][d] (w: [d]f64) (xs: [n][d]f64) (on: [n]bool) : [d]f64 =
  vjp (\w -> f64.sum (map2 (\x o -> if o then f64.sum (map2 (*) x w) else 0) xs on)) w 1
