-- Cumsum.
-- at 6
-- ==
-- error: running sums are "scan

def f (xs: []f64) = cumsum xs
