-- A type that is not bound.
-- at 6
-- ==
-- error: Unknown type "foo"

def f (x: foo) = x
