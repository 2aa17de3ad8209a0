-- Variables whose names generated loops use themselves.
-- ==
-- input { [1.0, 2.0, 3.0] [1.0, 2.0] } output { 19.0 }
entry main [n][m] (l: [n]f64) (half: [m]f64) =
  f64.sum (map (\x -> x * x) l) + f64.sum (map (\x -> x * x) half)
