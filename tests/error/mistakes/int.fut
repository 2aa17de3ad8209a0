-- Int.
-- at 6
-- ==
-- error: "i64.f64 x" makes an i64

def f (x: f64) = int x
