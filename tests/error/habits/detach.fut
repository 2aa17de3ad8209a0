-- A value without its derivative.
-- at 6
-- ==
-- error: a custom rule stops the derivative

def f (x: f64) = x.detach()
