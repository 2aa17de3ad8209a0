-- The beginning of a name.
-- at 6
-- ==
-- error: did you mean "f64\.sqrt"

def f (x: f64) = f64.sq x
