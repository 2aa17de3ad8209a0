-- Several definitions.
-- at 6 7 8
-- ==
-- error: Unknown name "u".*Unknown name "v".*Unknown name "w"

def f = u
def g = f + v
def h = g + w
