-- An anonymous function of Python as an argument.
-- at 6
-- ==
-- error: an anonymous function is written "\\x -> \.\.\."\.

def f (xs: []f64) = map (lambda x: x + 1) xs
