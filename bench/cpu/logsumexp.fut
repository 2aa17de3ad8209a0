def logsumexp [n] (xs: [n]f64) : f64 =
  let top = f64.maximum xs
  in top + f64.log (f64.sum (map (\x -> f64.exp (x - top)) xs))

entry main [n][m] (a: [n][m]f64) : [n]f64 = map logsumexp a
