-- An assertion needs a boolean.
-- at 6
-- ==
-- error: Condition of assert must be a bool

def f (x: i32) = assert x x
