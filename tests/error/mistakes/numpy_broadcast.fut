-- A number times an array.
-- at 6
-- ==
-- error: operators work on single values

def f (xs: []f64) = xs * 2
