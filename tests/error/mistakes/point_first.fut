-- Point first.
-- at 6
-- ==
-- error: a number begins with a digit: 0.5

def f (x: f64) = .5 * x
