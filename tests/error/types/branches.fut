-- Branches of different types.
-- at 6
-- ==
-- error: Cannot unify|branch

def f (c: bool) = if c then 1i32 else true
