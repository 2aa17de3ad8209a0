-- Jit.
-- at 6
-- ==
-- error: everything is compiled

def f (x: f64) = jit x
