-- A negative argument without parentheses.
-- at 6
-- ==
-- error: a negative argument stands in parentheses

def f = i32.abs -3
