-- Booleans do not add.
-- at 6
-- ==
-- error: Expected: one of .i8, .*f64..Actual:   bool

def f (x: bool) = x + x
