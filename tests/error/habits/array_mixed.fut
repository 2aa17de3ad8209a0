-- An integer and a number with a point in one array.
-- at 6
-- ==
-- error: "2.0" is a floating-point number; as an i64 it is written "2"

def f (x: i64) = [x, 2.0]
