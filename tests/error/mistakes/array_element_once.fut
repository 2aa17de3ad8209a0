-- Array element once.
-- at 6
-- ==
-- error: Array element does not have the type of the elements before it

def f = [1i32, true, false, 2]
