-- Negation of a boolean.
-- at 6
-- ==
-- error: Cannot

def f (x: bool) = -x
