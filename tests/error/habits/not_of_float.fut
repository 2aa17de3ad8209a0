-- ! for the negative.
-- at 6
-- ==
-- error: the negative of x is "-x"

def f (x: f64) = !x
