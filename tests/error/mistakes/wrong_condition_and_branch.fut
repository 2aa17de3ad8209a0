-- Wrong condition and branch.
-- at 6
-- ==
-- error: Condition of if-expression must be a bool.*Branches of if-expression

def f (x: i32) = if x then 1i32 else true
