-- Sizes that are equal, but not known to be.
-- at 6
-- ==
-- error: both are 3, but sizes are compared as they are written

def f (xs: [6]i32) = map2 (+) (xs[0:3]) (xs[3:6])
