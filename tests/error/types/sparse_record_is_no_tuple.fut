-- Fields must be numbered from 0 to be those of a tuple.
-- at 6
-- ==
-- error: unshared fields: 0, 2

def f (x: {1: bool, 2: bool}) : (i32, bool) = x
