-- A function that would change its argument.
-- at 6
-- ==
-- error: names end with letters, digits, "_" or "'"; functions return new values and modify nothing\.

def f (xs: []f64) = sort!(xs)
