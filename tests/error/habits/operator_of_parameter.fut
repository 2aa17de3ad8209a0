-- An operator on a type parameter.
-- at 6
-- ==
-- error: "t" may be any type, so it has no operators

def sq 't (x: t) : t = x * x
