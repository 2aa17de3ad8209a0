-- The bound of a for-loop is an integer.
-- at 6
-- ==
-- error: Bound of for-loop must be an integer

def f = loop x = 1i32 for _i < 2.0f32 do x
