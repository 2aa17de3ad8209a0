-- A minus sign from a text.
-- at 6
-- ==
-- error: write - instead\.

def f (x: f64) = x − 1
