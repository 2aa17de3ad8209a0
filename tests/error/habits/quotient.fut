-- A quotient of integers where a float is wanted.
-- at 6
-- ==
-- error: "/" of integers rounds down

def f (x: i32) : f64 = x / 2
