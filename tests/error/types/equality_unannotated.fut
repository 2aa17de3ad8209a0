-- Equality at an unknown type.
-- at 6
-- ==
-- error: which does not support equality

def eq x y = x == y
