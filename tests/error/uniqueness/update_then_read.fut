-- Only value and indices come before: other operands are still evaluated in their order.
-- at 6 7 8
-- ==
-- error: Using variable "a", but this was consumed

def f (a: *[]i32) = ((a with [0] = 1)[0], a[0])
def g (a: *[]i32) = let b = (a with [0] = 1) with [1] = a[0] in (b, a[1])
def h (a: *[]i32) = {x = a with [0] = a[1], y = a[2]}
