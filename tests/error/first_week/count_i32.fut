-- A number of elements that is an i32.
-- at 6
-- ==
-- error: use i64\.i32 to convert\.

def f (n: i32) = replicate n 0.0
