-- A parenthesis too many.
-- at 6
-- ==
-- error: nothing is open that this could close

def f (x: i32) = x + 1)
