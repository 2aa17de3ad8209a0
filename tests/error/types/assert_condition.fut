-- An assertion needs a boolean.
-- at 6
-- ==
-- error: Cannot|bool

def f (x: i32) = assert x x
