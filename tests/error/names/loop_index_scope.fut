-- The index of a loop is not in scope in its bound.
-- at 6
-- ==
-- error: Unknown name "i"

def f (n: i32) = loop x = n for i < i do x + 1
