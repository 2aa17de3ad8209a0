-- The body of a loop has another type.
-- at 6
-- ==
-- error: Loop body does not have the type of the loop parameter.*Cannot unify i32 with bool

def f = loop x = 1i32 for _i < 3i32 do x == 1
