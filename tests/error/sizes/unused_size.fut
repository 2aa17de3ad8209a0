-- A size parameter is the size of nothing.
-- at 6
-- ==
-- error: Size .k. unused in pattern

def g [k] (b: bool) = b
