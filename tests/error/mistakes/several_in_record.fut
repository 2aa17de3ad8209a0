-- Several in record.
-- at 6
-- ==
-- error: Unknown name "u".*Unknown name "v"

def f = {a = u, b = v}
