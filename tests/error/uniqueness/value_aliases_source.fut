-- The new element is part of the updated array.
-- at 6
-- ==
-- error: Source array for in-place update

def f (a: *[4][4]i32) = a with [0] = a[1]
