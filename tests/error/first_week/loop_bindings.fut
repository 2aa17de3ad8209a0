-- Two bindings of a loop.
-- at 6
-- ==
-- error: a loop carries several values as a tuple: "loop \(x, y\) = \(1, 2\) for i < n do \.\.\."\.

def f (n: i64) = loop (i = 0, s = 0) while i < n do (i + 1, s + i)
