-- Booleans do not add.
-- at 6
-- ==
-- error: Cannot instantiate type that must be one of|Cannot unify

def f (x: bool) = x + x
