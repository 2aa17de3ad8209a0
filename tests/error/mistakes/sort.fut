-- Sort.
-- at 6
-- ==
-- error: github.com/diku-dk/sorts

def f (xs: []f64) = sort xs
