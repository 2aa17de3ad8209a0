-- A refutable pattern as a parameter.
-- at 6
-- ==
-- error: Refutable pattern not allowed here

def f ((#a x): (#a i32 | #b)) = x
