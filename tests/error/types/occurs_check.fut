-- An infinite type.
-- at 6
-- ==
-- error: Occurs check: cannot instantiate

def f g = g g
