-- Several in array.
-- at 6
-- ==
-- error: Unknown name "u".*Unknown name "v"

def f = [u, v]
