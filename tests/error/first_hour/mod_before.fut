-- The remainder as a function.
-- at 6
-- ==
-- error: the remainder is "x % y", with the sign of y; "x %% y" has the sign of x\.

def f (x: i64) = mod x 2
