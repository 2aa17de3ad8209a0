-- A loop that includes its bound.
-- at 6
-- ==
-- error: a loop counts from 0 to below its bound: "for i < n \+ 1 do \.\.\."\.

def f (n: i64) = loop s = 0 for i <= n do s + i
