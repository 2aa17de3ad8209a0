-- Two numbers beside each other.
-- at 6
-- ==
-- error: is an operator missing between "2" and "x"

def f (x: i32) = 2 x
