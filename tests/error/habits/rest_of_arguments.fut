-- Any number of arguments.
-- at 6
-- ==
-- error: a function has a fixed number of parameters

def f (x: f64, *rest) = x
