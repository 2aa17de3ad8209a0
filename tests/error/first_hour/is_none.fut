-- A comparison by a word.
-- at 6
-- ==
-- error: the operator is "=="\.

def f (x: f64) = x is None
