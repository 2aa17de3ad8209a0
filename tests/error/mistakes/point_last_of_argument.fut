-- A point last, before another argument.
-- at 6
-- ==
-- error: a number ends with a digit: "1\.0"

def f (x: f64) = f64.max 1. x
