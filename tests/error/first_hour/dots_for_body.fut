-- Dots for a body.
-- at 6
-- ==
-- error: "\?\?\?" stands for an expression that is yet to be written\.

def f (x: f64) = ...
