-- Grad of vector.
-- at 7
-- ==
-- error: "jacobian" is for functions to arrays

import "/prelude/derivatives"
entry main (xs: []f64) = grad (\xs -> map (* 2) xs) xs
