-- A constant is not in scope in its own definition.
-- at 6
-- ==
-- error: Unknown name "x"

def x = x + 1i32
