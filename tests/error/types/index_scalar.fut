-- A scalar is indexed.
-- at 6
-- ==
-- error: Cannot|index

def f (x: i32) = x[0]
