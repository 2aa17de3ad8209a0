-- A function between its operands.
-- at 6
-- ==
-- error: the remainder is "x % y", with the sign of y; "x %% y" has the sign of x\.

def f (n: i64) = n `mod` 2
