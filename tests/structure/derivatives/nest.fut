-- A perfect nest is not executed again.
-- structure soac: screma 2
-- structure soac,c: loop 2, alloc 1
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] } output { [[0.5403023058681398f64, -0.4161468365471424f64],  [-0.9899924966004454f64, -0.6536436208636119f64]] }
entry main [n][m] (a: [n][m]f64) : [n][m]f64 =
  vjp (\a -> f64.sum (map (\r -> f64.sum (map f64.sin r)) a)) a 1
