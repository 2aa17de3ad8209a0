-- An operator as an argument.
-- at 6
-- ==
-- error: an operator as an argument is in parentheses: "reduce \(\+\) \.\.\."

def f (xs: []f64) = reduce + 0 xs
