-- An element changed by an operator.
-- at 6
-- ==
-- error: an element is replaced by "xs with \[i\] = xs\[i\] \+ \.\.\."\.

def f (xs: *[]f64) = xs with [0] += 1
