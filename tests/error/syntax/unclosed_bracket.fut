-- A bracket is not closed.
-- at 7
-- ==
-- error: Unexpected "def"

def f = [1, 2
def g = 3
