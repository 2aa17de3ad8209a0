-- A parenthesis that is not closed.
-- at 8
-- ==
-- error: the "\(" at 6:18 is not closed

def f (x: i32) = (x + 1

def g = 2i32
