-- An infix definition has no type parameters.
-- at 6
-- ==
-- error: Unexpected "'"

def x <+> 'a y = x
