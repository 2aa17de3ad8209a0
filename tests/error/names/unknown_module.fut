-- A module that is not bound.
-- at 6
-- ==
-- error: Unknown name "nope"

def f (x: i32) = nope.g x
