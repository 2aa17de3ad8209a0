-- A for-in loop over a scalar.
-- at 6
-- ==
-- error: For-in loop needs an array to iterate over

def f (n: i32) = loop x = 1i32 for i in n do x + i
