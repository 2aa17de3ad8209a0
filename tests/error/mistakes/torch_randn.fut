-- Random numbers.
-- at 6
-- ==
-- error: random numbers are in the package

def f (n: i64) = randn n
