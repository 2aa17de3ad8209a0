-- A word for an operator.
-- at 6
-- ==
-- error: the operator is "%"

def f (x: i32) = x mod 2
