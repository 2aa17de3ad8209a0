-- A number as a condition.
-- at 6
-- ==
-- error: a number is not a boolean; compare it: "x != 0"\.

def f (x: i64) = if x then 1 else 2
