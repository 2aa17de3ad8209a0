-- A number with a point divided by an integer.
-- at 6
-- ==
-- error: use f64\.i64 to convert

def f (n: i64) : f64 = 1.0 / n
