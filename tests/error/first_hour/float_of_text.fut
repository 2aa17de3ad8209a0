-- Infinity as text.
-- at 6
-- ==
-- error: it is "f64\.inf"\.

def f = float("inf")
