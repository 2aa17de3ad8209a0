-- A section that subtracts.
-- at 6
-- ==
-- error: "\(-1\)" is a number; the function that subtracts it

def f (xs: []f64) = map (-1) xs
