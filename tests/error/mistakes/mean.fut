-- Mean.
-- at 6
-- ==
-- error: the mean is

def f (xs: []f64) = mean xs
