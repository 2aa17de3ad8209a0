-- Infinity by name.
-- at 6
-- ==
-- error: it is "f64\.inf"

def f (x: f64) = x < Infinity
