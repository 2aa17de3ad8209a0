-- Float.
-- at 6
-- ==
-- error: "f64.i64 x" makes an f64

def f (x: i64) : f64 = float x
