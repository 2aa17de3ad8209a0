-- An integer divided by a number with a point.
-- at 6
-- ==
-- error: f64\.i32 converts the other operand

def f (x: i32) = x / 2.0
