-- A literal that does not fit.
-- at 6
-- ==
-- error: Literal 200 out of bounds for inferred type i8

def f : i8 = 200
