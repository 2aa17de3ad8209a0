-- What does not depend on the row is computed before.
-- structure soac: screma 2
-- structure soac,c: loop 2
-- ==
-- input { [1f64, 2f64] [3f64, 4f64] } output { [7.0f64, 14.0f64] }
entry main [n][m] (xs: [n]f64) (ys: [m]f64) : [n]f64 = map (\x -> x * f64.sum ys) xs
