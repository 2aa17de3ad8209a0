-- A conditional without an alternative.
-- at 6
-- ==
-- error: every "if" needs an "else"

def f (x: i32) = if x > 0 then 1
