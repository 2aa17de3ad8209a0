-- Nothing to flatten.
-- at 6
-- ==
-- error: "flatten" is for arrays of at least two dimensions\.

def f (xs: []f64) = flatten xs
