-- A loop with a step.
-- at 6
-- ==
-- error: to count in steps, loop over a range: "for i in 0\.\.2\.\.<n do \.\.\."\.

def f (n: i64) = loop s = 0 for i < n by 2 do s + i
