-- A literal needs digits after the point.
-- at 6
-- ==
-- error: Unexpected "[+]"

def f = 1. + 2
