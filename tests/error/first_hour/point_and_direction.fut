-- The point and the direction as a pair.
-- at 7
-- ==
-- error: the point and the direction are two arguments: "jvp f 1 1"\.

def f (x: f64) = x * x
def g = jvp f (1, 1)
