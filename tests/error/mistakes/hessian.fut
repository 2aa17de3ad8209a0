-- Hessian.
-- at 6
-- ==
-- error: import "/prelude/derivatives"

entry main (xs: [2]f64) = hessian (\xs -> xs[0] * xs[1]) xs
