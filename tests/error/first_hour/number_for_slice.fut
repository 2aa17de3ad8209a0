-- A number in the place of a slice.
-- at 6
-- ==
-- error: a slice is replaced by an array of its size, such as "replicate n x"\.

def f (xs: *[]f64) = let xs[0:2] = 0 in xs
