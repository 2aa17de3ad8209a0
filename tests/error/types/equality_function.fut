-- Functions have no equality.
-- at 6
-- ==
-- error: Comparing equality of values of type i32 -> i32 which does not support equality

def f (g: i32 -> i32) = g == g
