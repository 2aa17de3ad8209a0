-- An ellipsis among indices.
-- at 6
-- ==
-- error: each dimension has an index

def f (a: [][]f64) = a[..., 0]
