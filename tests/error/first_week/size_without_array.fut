-- A size that no parameter has.
-- at 6
-- ==
-- error: use it in the type of a parameter, such as "\(xs: \[n\]f64\)", or leave it out; a size that is an argument is a parameter: "\(n: i64\)"\.

def f [n] (x: f64) = x
