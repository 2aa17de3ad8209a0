-- The body of a loop has another type.
-- at 6
-- ==
-- error: Cannot|loop

def f = loop x = 1i32 for _i < 3i32 do x == 1
