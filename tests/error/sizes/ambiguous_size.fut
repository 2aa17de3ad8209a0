-- Nothing determines a size.
-- at 6
-- ==
-- error: Ambiguous size

def g = length ???
