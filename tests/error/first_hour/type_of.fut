-- The type of a value.
-- at 6
-- ==
-- error: types are no values; the type of an expression is shown by ":type" in "raido repl", and

def f (x: f64) = type(x)
