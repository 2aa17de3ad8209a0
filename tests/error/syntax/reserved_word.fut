-- A reserved word as a name.
-- at 6
-- ==
-- error: Unexpected token: 'loop'

def loop = 3
