-- The log of a loop that has parallel work in its iterations, under a map: no copy of it.
-- depth soac,gpu: copy 0

def steps [m] (w: [m][m]f64) (xs: [m]f64) : f64 =
  f64.sum (loop xs for _i < 10i64 do map (\r -> f64.tanh (f64.sum (map2 (*) r xs))) w)

entry main [n][m] (w: [m][m]f64) (xss: [n][m]f64) : [n][m]f64 =
  vjp (\xss -> map (steps w) xss) xss (replicate n 1)
