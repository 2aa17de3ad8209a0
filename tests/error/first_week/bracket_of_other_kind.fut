-- A bracket that closes another one.
-- at 6
-- ==
-- error: the "\[" at 6:23 is closed by "\]"\.

def f (a: [][]f64) = a[0)(1]
