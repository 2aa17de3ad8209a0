-- A literal needs digits after the point.
-- at 6
-- ==
-- error: Unexpected token: '[+]'

def f = 1. + 2
