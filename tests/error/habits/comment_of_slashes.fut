-- A comment of slashes after an expression.
-- at 6
-- ==
-- error: a comment begins with "--"

def f (x: f64) = x // doubles
