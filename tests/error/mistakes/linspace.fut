-- Linspace.
-- at 6
-- ==
-- error: is n numbers from a to b

def f (n: i64) = linspace 0 1 n
