-- A lambda with a consuming parameter consumes its argument.
-- at 6
-- ==
-- error: Using variable "a", but this was consumed

def f (a: *[3]i64) = ((\(x: *[3]i64) -> x with [0] = 1) a, a)
