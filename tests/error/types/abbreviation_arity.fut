-- A parametric type is applied in full.
-- at 7
-- ==
-- error: Type constructor "pair" requires 2 arguments, but provided 1

type pair 'a 'b = (a, b)
def f (x: pair i32) = x
