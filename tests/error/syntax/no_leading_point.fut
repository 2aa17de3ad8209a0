-- A literal needs digits before the point.
-- at 6
-- ==
-- error: Unexpected token: '.'

def f = .5
