-- The new value is evaluated first: what it consumes is gone for the array, though not the other
-- way around.
-- at 9
-- ==
-- error: Using variable "a", but this was consumed at 9:40-41

def eat (a: *[]i32) : i32 = a[0]
def ok (a: *[]i32) = (a with [0] = 1) with [1] = a[0]
def bad (a: *[]i32) = a with [0] = eat a
