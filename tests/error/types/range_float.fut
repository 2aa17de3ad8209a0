-- A range of floats.
-- at 6
-- ==
-- error: Elements of a range must be integers

def f = 1.0..<2.0
