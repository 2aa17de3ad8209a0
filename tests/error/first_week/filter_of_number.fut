-- A predicate that gives a number.
-- at 6
-- ==
-- error: the function given to "filter" must return a bool, such as "\\x -> x > 0"; this one returns a number\.

def f (xs: []f64) = filter (\x -> x - 1) xs
