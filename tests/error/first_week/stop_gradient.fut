-- A constant to derivatives.
-- at 6
-- ==
-- error: a custom rule stops the derivative: "with_vjp \(\\x -> x\) \(\\_ _ -> 0\) x"\.

def f (x: f64) = stop_gradient x
