-- A parenthesis too many.
-- at 6
-- ==
-- error: there is no open bracket that this could close

def f (x: i32) = x + 1)
