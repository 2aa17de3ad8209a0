-- or in a condition: one error.
-- at 6
-- ==
-- error: the operator is "\|\|"

def f (x: i32) (y: i32) = if x > 0 or y > 0 then 1 else 2
