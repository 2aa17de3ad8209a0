-- "!" is a prefix: a parameter or an entry point cannot have its name.
-- at 6 7
-- ==
-- error: Unexpected.*"!" stands before its operand.*Unexpected.*"!" stands before its operand

def f (!) = 1i32
entry (!) (x: i32) = x
