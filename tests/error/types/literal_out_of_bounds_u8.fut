-- A literal that does not fit.
-- at 6
-- ==
-- error: Literal 256 out of bounds for inferred type u8

def f (x: u8) = x + 256
