-- A seed of another type.
-- at 6
-- ==
-- error: The seed of "vjp" has the type of "\(\\x -> x \* x\) x", f64\.

def f (x: f64) : f64 = vjp (\x -> x * x) x 1i32
