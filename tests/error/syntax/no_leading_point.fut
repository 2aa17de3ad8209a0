-- A literal needs digits before the point.
-- at 6
-- ==
-- error: Unexpected "."

def f = .5
