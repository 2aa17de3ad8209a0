-- The sizes of a matrix, with a comma.
-- at 6
-- ==
-- error: each dimension has brackets of its own

def f (xs: [3, 3]f64) = xs
