-- Seed of vjp.
-- at 7
-- ==
-- error: The seed of "vjp" has the type of "f xs", \[3\]f64

def f (xs: [3]f64) = map (* 2) xs
entry main (xs: [3]f64) = vjp f xs 1
