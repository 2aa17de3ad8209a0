-- Indices of more dimensions than an array has.
-- at 6
-- ==
-- error: it has one dimension, which takes one index or slice

def f (xss: [][]f64) = xss[0][1, 2]
