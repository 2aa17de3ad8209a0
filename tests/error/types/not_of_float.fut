-- Complement of a float.
-- at 6
-- ==
-- error: Cannot

def f (x: f32) = !x
