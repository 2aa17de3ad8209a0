-- Used after update.
-- at 6
-- ==
-- error: Using variable "a", but this was consumed.*"copy a"

def f (a: *[]i32) = let b = a with [1] = 7 in b[0] + a[2]
