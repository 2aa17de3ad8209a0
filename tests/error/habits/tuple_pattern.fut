-- A tuple pattern without parentheses.
-- at 6
-- ==
-- error: "let \(x, y\) = \.\.\."

def f (xs: []f64) = let n, m = (1, 2) in n + m
