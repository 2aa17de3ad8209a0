-- Int and float types.
-- at 6
-- ==
-- error: integer types are

def f (x: int) : f64 = f64.i64 x
