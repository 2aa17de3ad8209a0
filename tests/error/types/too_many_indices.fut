-- More indices than dimensions.
-- at 6
-- ==
-- error: Cannot|index

def f (xs: []i32) = xs[0, 1]
