-- Field of tuple.
-- at 7
-- ==
-- error: When matching the types of field 0

def f (p: (i32, bool)) = p
def g = f (true, false)
