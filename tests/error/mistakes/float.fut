-- Float.
-- at 6
-- ==
-- error: "f64.i64 x" converts an i64 to f64

def f (x: i64) : f64 = float x
