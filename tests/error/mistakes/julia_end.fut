-- The last element.
-- at 6
-- ==
-- error: the last element is "last xs"

def f (xs: []f64) = xs[end]
