-- An index that is a float.
-- at 6
-- ==
-- error: use i64\.f64 to convert

def f (xs: []f64) (i: f64) = xs[i]
