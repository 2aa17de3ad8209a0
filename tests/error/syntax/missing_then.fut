-- An if without then.
-- at 6
-- ==
-- error: Unexpected "else"

def f (x: bool) = if x else 2
