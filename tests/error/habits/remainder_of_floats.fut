-- The remainder of floats.
-- at 6
-- ==
-- error: the remainder of floats is "x % y"

def f (a: f64) : f64 = a %% 2
