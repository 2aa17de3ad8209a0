-- The first eval of the suite: a square and its derivative.
entry square (x: f64) : f64 = x * x
entry double (x: f64) : f64 = vjp (\y -> y * y) x 1
