-- A lambda without parentheses.
-- at 6
-- ==
-- error: an anonymous function as an argument is in parentheses

def f (xs: []f64) = map \x -> x + 1 xs
