-- An array of integers where floats are wanted.
-- at 6
-- ==
-- error: use f64\.i64 to convert each element, by "map"

def f (n: i64) : [n]f64 = iota n
