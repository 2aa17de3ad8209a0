-- Functions have no equality.
-- at 6
-- ==
-- error: equality|function

def f (g: i32 -> i32) = g == g
