-- One number where values are wanted.
-- at 6
-- ==
-- error: an array of equal elements is "replicate n 0"\.

def f (xs: *[]f64) (is: []i64) = scatter xs is 0
