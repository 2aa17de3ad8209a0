-- A conditional after its value.
-- at 6
-- ==
-- error: a conditional is written "if c then a else b"

def f (x: i32) = 1 if x > 0 else 2
