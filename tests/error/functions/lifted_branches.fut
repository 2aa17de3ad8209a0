-- A value of a lifted type may be a function.
-- at 6
-- ==
-- error: if-results may not be of function type

def f '^a (b: bool) (x: a) (y: a) = if b then x else y
