-- A definition that ends with a colon.
-- at 7
-- ==
-- error: a function is defined by "def f \(x: f64\) : f64 = \.\.\.", and its value is what

def f(x):
  x + 1
