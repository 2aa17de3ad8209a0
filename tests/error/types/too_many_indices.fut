-- More indices than dimensions.
-- at 6
-- ==
-- error: Cannot index value of type ..i32 with 2 indices

def f (xs: []i32) = xs[0, 1]
