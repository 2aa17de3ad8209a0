-- Two indices in parentheses.
-- at 6
-- ==
-- error: indices are separated by commas, without parentheses

def f (xss: [][]f64) = xss[(0, 1)]
