-- The absolute value between bars.
-- at 6
-- ==
-- error: the absolute value is "f64\.abs x"

def f (x: f64) = |x|
