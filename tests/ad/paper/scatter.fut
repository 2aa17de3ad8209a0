-- Written and overwritten elements.
-- ==
-- input { [1.0, 2.0, 3.0] [0i64, 2i64, 9i64] [5.0, 6.0, 7.0] } output { [0.0, 1.0, 0.0] [1.0, 1.0, 0.0] }
entry main [k][n] (dest: [k]f64) (is: [n]i64) (vs: [n]f64) =
  vjp (\(d, v) -> f64.sum (scatter (copy d) is v)) (dest, vs) 1
