-- Arithmetic on a truth value.
-- at 6
-- ==
-- error: "i64\.bool b" is 1 for true and 0 for false\.

def f (b: bool) = b + 1
