-- A negative argument without parentheses.
-- at 6
-- ==
-- error: put a negative argument in parentheses

def f = i32.abs -3
