-- A reserved word as a name.
-- at 6
-- ==
-- error: Unexpected "loop"

def loop = 3
