-- The condition of a while-loop is a bool.
-- at 6
-- ==
-- error: Condition of while-loop must be a bool

def f = loop x = 1i32 while x do x + 1
