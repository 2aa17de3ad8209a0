-- A condition that is not boolean.
-- at 6
-- ==
-- error: Condition of if-expression must be a bool

def f (x: i32) = if x then 1i32 else 2
