-- Two arguments for a tuple.
-- at 7
-- ==
-- error: "f" takes a tuple: f \(1, 2\)

def f (x: i32, y: i32) = x + y
def g = f 1 2
