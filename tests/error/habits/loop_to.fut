-- The bounds of a loop as in Pascal.
-- at 6
-- ==
-- error: loop x = start for i < n do

def f (n: i64) = loop s = 0 for i = 0 to n do s + i
