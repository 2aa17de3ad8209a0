-- One number as the direction of a pair.
-- at 6
-- ==
-- error: The seed of "jvp" has the type of "\(x, y\)", \(f64, f64\)\.

def f (x: f64) (y: f64) = jvp (\(a, b) -> a * b) (x, y) 1
