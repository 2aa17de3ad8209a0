-- An error that would be caught.
-- at 6
-- ==
-- error: errors cannot be caught; test the condition before\.

def f (x: f64) = try x catch 0
