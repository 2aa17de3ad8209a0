-- The value null.
-- at 6
-- ==
-- error: there is no value "null"

def f (x: i32) = x == null
