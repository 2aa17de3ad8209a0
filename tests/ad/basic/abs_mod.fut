-- Absolute value and remainder.
-- ==
-- input { -3.0 } output { -1.0 1.0 1.0 }
-- input { 0.0 } output { 0.0 1.0 0.0 }
entry main (x: f64) = let (a, b) = vjp (\(p, q) -> p % q) (x, 2) 1 in (vjp f64.abs x 1, a, b)
