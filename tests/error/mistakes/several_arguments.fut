-- Several arguments.
-- at 7
-- ==
-- error: Cannot apply "f" to "1.5f64".*Cannot apply "f" to "false"

def f (x: i32) (_y: bool) (_z: f64) = x
def g = f 1.5f64 true false
