-- Names of types.
-- at 6
-- ==
-- error: Occurs check: cannot instantiate a with a -> b

def f x = x x
