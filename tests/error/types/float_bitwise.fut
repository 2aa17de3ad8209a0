-- Floats have no bitwise operators.
-- at 6
-- ==
-- error: Cannot instantiate type that must be one of|Cannot unify

def f (x: f32) = x & x
