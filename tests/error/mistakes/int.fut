-- Int.
-- at 6
-- ==
-- error: "i64.f64 x" converts an f64 to i64

def f (x: f64) = int x
