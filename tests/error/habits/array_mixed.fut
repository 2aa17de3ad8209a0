-- An integer and a number with a point in one array.
-- at 6
-- ==
-- error: a number with a point is not an i64; f64\.i64 converts one

def f (x: i64) = [x, 2.0]
