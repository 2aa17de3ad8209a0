-- A loop without do.
-- at 6
-- ==
-- error: the body of a loop follows "do"

def f (x: i32) = loop x for i < 10: x + 1
