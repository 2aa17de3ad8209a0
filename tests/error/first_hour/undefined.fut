-- A body that is to be written.
-- at 6
-- ==
-- error: "\?\?\?" stands for an expression that is yet to be written\.

def f (x: f64) : f64 = undefined
