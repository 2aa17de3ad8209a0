-- A negated literal that does not fit.
-- at 6
-- ==
-- error: out of bounds for inferred type i8

def f : i8 = -129
