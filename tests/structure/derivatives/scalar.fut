-- The derivative of a polynomial is one.
-- structure soac: screma 0, loop 0, if 0
-- ==
-- input { 2f64 } output { 14.0f64 }
entry main (x: f64) : f64 = vjp (\x -> 3 * x * x + 2 * x + 1) x 1
