-- A word for an operator.
-- at 6
-- ==
-- error: the operator is "&&"

def f (a: bool) (b: bool) = if a and b then 1i32 else 2
