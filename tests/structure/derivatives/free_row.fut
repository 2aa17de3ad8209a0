-- What each row adds to a free vector is one sum for each element, along rows of memory.
-- structure soac: withacc 0, upd_acc 0, screma 2
-- ==
-- input { [1f64,2f64] [[1f64,2f64,3f64],[4f64,5f64,6f64]] }
-- output { [6.0f64, 15.0f64] }
entry main [n][m] (w: [m]f64) (xs: [m][n]f64) : [m]f64 =
  vjp (\w -> f64.sum (map (\x -> f64.sum (map2 (*) x w)) (transpose xs))) w 1
