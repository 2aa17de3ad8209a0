-- Jacobian.
-- at 6
-- ==
-- error: import "/prelude/derivatives"

entry main (xs: [2]f64) = jacobian (\xs -> map (* 2) xs) xs
