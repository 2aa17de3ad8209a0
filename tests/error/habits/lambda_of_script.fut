-- An anonymous function with a fat arrow.
-- at 6
-- ==
-- error: an anonymous function is written

def f (xs: []f64) = map (x => x + 1) xs
