-- A negative argument needs parentheses.
-- at 6
-- ==
-- error: Cannot apply "-" to "g" .invalid type.

def f (g: i32 -> i32) = g -1
