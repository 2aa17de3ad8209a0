-- A string is not closed.
-- at 6
-- ==
-- error: string|Unexpected

def f = "abc
