-- A parameter with a default.
-- at 6
-- ==
-- error: parameters have no default values

def f (x: i32 = 3) = x
