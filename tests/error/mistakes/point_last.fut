-- Point last.
-- at 6
-- ==
-- error: a number ends with a digit: 2\.0

def f (x: f64) = 2. * x
