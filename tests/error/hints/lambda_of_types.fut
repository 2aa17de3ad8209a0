-- A lambda that binds a type.
-- at 6
-- ==
-- error: a lambda has no parameters for sizes and types

def f = map (\'t (x: t) -> x) [1, 2]
