-- The address of a variable.
-- at 6
-- ==
-- error: there are no pointers: a value is used by its name, "x"; arrays are passed without

def f (x: f64) = &x
