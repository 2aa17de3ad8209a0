-- A name that is not bound.
-- at 6
-- ==
-- error: Unknown name "foo"

def f (x: i32) = x + foo
