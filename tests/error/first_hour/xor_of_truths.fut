-- An exclusive or of truth values.
-- at 6
-- ==
-- error: the operator is "!="\.

def f (x: bool) (y: bool) = x xor y
