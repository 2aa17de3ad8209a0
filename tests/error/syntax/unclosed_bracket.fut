-- A bracket is not closed.
-- at 7
-- ==
-- error: Unexpected token: 'def'

def f = [1, 2
def g = 3
