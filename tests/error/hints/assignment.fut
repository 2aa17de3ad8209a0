-- An assignment.
-- at 6
-- ==
-- error: a variable does not change

def f (x: i32) = x += 2
