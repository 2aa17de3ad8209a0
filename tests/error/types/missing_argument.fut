-- A function where a number is needed.
-- at 6
-- ==
-- error: Cannot apply "." to "g 1" .invalid type..*is the function missing an argument

def f (g: i32 -> i32 -> i32) = g 1 + 2
