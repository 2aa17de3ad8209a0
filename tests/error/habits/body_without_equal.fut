-- A body after the type of the result.
-- at 7
-- ==
-- error: a function is defined by "def f

def f (x: f64, y: f64): f64
  return x + y
