-- Several in tuple.
-- at 6
-- ==
-- error: Cannot apply "\+" to "true".*Unknown name "foo".*Unknown name "y"

def f (x: i32) = (x + true, foo x, y + 1)
