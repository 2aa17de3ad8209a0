-- An array that is longer by one.
-- at 6
-- ==
-- error: the two differ, whatever "n" is\.

def f [n] (xs: [n]f64) : [n]f64 = xs ++ [1.0]
