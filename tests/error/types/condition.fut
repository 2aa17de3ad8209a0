-- A condition that is not boolean.
-- at 6
-- ==
-- error: Cannot unify|bool

def f (x: i32) = if x then 1i32 else 2
