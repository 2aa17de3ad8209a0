-- Booleans do not add.
-- at 6
-- ==
-- error: Cannot instantiate type that must be one of .i8, .*f64. with bool

def f (x: bool) = x + x
