-- A decorator.
-- at 6
-- ==
-- error: there are no decorators

@jit
def f (x: f64) = x
