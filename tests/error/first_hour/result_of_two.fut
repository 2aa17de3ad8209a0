-- Two types for the result.
-- at 6
-- ==
-- error: the type of a tuple is in parentheses: "\(f64, f64\)"\.

def f (x: f64) : f64, f64 = (x, x)
