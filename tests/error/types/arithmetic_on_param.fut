-- Arithmetic needs a known type.
-- at 6
-- ==
-- error: Cannot apply "." to "x" .invalid type.

def f 't (x: t) = x + x
