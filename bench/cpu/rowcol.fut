entry rows [n][m] (a: [n][m]f64) : [n]f64 = map f64.sum a
entry cols [n][m] (a: [n][m]f64) : [m]f64 = map f64.sum (transpose a)
