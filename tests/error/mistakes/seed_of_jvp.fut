-- Seed of jvp.
-- at 7
-- ==
-- error: The seed of "jvp" has the type of "xs", \[3\]f64.*"vjp f xs 1"

def f (xs: [3]f64) = f64.sum xs
entry main (xs: [3]f64) = jvp f xs 1
