-- A perfect nest of maps.
def nest [n][m] (xss: [n][m]f64) : [n][m]f64 = map (map (\x -> x * x + 1)) xss
-- ==
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[2.0, 4.0], [6.0, 8.0]] }
entry main [n][m] (xss: [n][m]f64) = vjp nest xss (replicate n (replicate m 1))
