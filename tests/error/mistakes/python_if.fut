-- Python if.
-- at 6
-- ==
-- error: a conditional is written "if c then a else b"

def f (x: i32) = if x > 0: 1 else: 2
