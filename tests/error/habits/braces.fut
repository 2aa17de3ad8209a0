-- Braces around an expression.
-- at 6
-- ==
-- error: braces are for records

def f (x: f64) = { x + 1 }
