-- A word for an operator, after a number.
-- at 6
-- ==
-- error: the operator is "\|\|"

def f (x: i32) = x > 1 || x != 2 or true
