-- A conversion, as C writes it.
-- at 6
-- ==
-- error: a conversion names both types: "f64\.i32 x" converts an i32, "f64\.i64 x" an i64\.

def f (x: i64) = (f64) x + 1.0
