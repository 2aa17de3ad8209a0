-- A function that does not depend on its argument.
-- ==
-- input { 3.0 } output { 0.0 0.0 [0.0, 0.0] }
entry main (x: f64) = (vjp (\_ -> 5f64) x 1, jvp (\_ -> 5f64) x 1, vjp (\(_: [2]f64) -> 1f64) [x, x] 1)
