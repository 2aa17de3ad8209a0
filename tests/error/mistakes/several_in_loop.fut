-- Several in loop.
-- at 6
-- ==
-- error: Unknown name "u".*Unknown name "v".*Unknown name "w"

def f = loop x = u for i < v do x + w + i
