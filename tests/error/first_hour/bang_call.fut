-- A function that would change its argument.
-- at 6
-- ==
-- error: names end with letters, digits, "_" or "'"; functions give new values, and change none\.

def f (xs: []f64) = sort!(xs)
