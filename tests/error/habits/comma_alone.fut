-- A comma between arguments.
-- at 6
-- ==
-- error: arguments are separated by spaces; a tuple is in parentheses

def f (xs: []f64) = map f64.sqrt, xs
