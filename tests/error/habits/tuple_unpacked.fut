-- The components of a tuple as arguments.
-- at 6
-- ==
-- error: "f64\.max p\.0 p\.1"

def f (p: (f64, f64)) = f64.max *p
