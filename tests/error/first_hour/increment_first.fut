-- An increment before its operand.
-- at 6
-- ==
-- error: "xs \+\+ ys" joins arrays; variables cannot be reassigned, "x \+ 1" is a new value\.

def f (i: i64) = ++i
