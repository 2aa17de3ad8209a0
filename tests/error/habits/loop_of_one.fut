-- The body of a loop over two values gives one.
-- at 6
-- ==
-- error: the next values of all loop variables, a tuple of 2

def f (n: i64) = loop (a, b) = (1, 2) for i < n do a + b
