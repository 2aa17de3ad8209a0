-- Sizes are of type i64.
-- at 6
-- ==
-- error: Size must be of type i64

def f (n: i32) (x: [n]i32) = x[n]
