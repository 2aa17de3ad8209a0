-- A pointer that is followed.
-- at 6
-- ==
-- error: there are no pointers: a value is used by its name, "x"; arrays are passed without

def f (x: *f64) : f64 = *x
