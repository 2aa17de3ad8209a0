-- An operator of its own for floats.
-- at 6
-- ==
-- error: the operators are the same for all types of numbers

def f (x: f64) = x +. 1
