-- A number joined to an array.
-- at 6
-- ==
-- error: an array of one element is "\[1.0\]"

def f (xs: []f64) = xs ++ 1.0
