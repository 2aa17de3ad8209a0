-- Negation of a boolean.
-- at 6
-- ==
-- error: Cannot apply "-" to "x" .invalid type.

def f (x: bool) = -x
