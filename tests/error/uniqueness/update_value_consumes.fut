-- The value of an update comes first: what it consumes is gone for the source.
-- at 7
-- ==
-- error: Using variable "a", but this was consumed

def eat (a: *[]i32) : i32 = let a[0] = 1 in a[0]
def f (a: *[]i32) = (copy a with [0] = 1) with [1] = eat a
