-- A parametric type is applied in full.
-- at 7
-- ==
-- error: argument|param

type pair 'a 'b = (a, b)
def f (x: pair i32) = x
