-- A tuple has no such component.
-- at 6
-- ==
-- error: Unknown field "2"

def f (x: (i32, bool)) = x.2
