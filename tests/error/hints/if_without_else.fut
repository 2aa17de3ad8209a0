-- A conditional without an alternative.
-- at 6
-- ==
-- error: an "if" has a value, and so an "else"

def f (x: i32) = if x > 0 then 1
