-- Complement of a float.
-- at 6
-- ==
-- error: Cannot apply "!" to "x" .invalid type.

def f (x: f32) = !x
