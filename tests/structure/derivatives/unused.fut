-- Arguments without influence cost nothing.
-- structure soac: screma 0
-- ==
-- input { [1f64, 2f64] 3f64 } output { 6.0f64 }
entry main [n] (xs: [n]f64) (y: f64) : f64 =
  (vjp (\(x, y: f64) -> (f64.sum (map f64.exp x)) * 0 + y * y) (xs, y) 1).1
