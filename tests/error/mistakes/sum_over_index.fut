-- Sum over index.
-- at 6
-- ==
-- error: a sum over an index

def f (xs: []f64) = einsum xs
