-- Stop gradient.
-- at 6
-- ==
-- error: a custom rule stops the derivative

def f (x: f64) = stop_gradient x
