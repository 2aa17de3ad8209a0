-- An integer with an exponent.
-- at 6
-- ==
-- error: "1e6" is a floating-point number; as an i64 it is written "1000000"; f64\.i64 converts an i64 to a

def f : i64 = 1e6
