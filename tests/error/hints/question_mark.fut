-- A conditional with a question mark.
-- at 6
-- ==
-- error: a conditional is written "if c then a else b"

def f (x: i32) = x == 1 ? 2 : 3
