-- An anonymous function between bars.
-- at 6
-- ==
-- error: an anonymous function is written

def f (xs: []f64) = map (|x| x + 1) xs
