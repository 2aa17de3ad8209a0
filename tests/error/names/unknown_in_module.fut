-- A name that a module does not have.
-- at 6
-- ==
-- error: Unknown name "i32.foo"

def f (x: i32) = i32.foo x
