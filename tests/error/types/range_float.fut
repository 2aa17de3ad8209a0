-- A range of floats.
-- at 6
-- ==
-- error: Cannot

def f = 1.0..<2.0
