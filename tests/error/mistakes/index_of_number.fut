-- Index of number.
-- at 6
-- ==
-- error: Cannot index value of type i32 with 1 index

def f (x: i32) = x[0] + x
