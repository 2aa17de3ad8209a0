-- Dot.
-- at 6
-- ==
-- error: the inner product is

def f (xs: []f64) (ys: []f64) = dot xs ys
