-- and between comparisons: one error.
-- at 6
-- ==
-- error: the operator is "&&"

def f (x: i32) (y: i32) = x > 0 and y > 0
