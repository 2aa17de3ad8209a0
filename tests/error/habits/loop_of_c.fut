-- A loop of C.
-- at 6
-- ==
-- error: a loop is written "loop x = start

def f (n: i64) = loop x = 0 for (i = 0; i < n; i++) do x + i
