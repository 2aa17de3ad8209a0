-- An index comes before the source, too.
-- at 7
-- ==
-- error: Using variable "a", but this was consumed

def eat (a: *[]i64) : i64 = let a[0] = 1 in a[0]
def f (a: *[]i64) = a with [eat a] = 1
