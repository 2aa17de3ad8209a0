-- A string is not closed.
-- at 6
-- ==
-- error: String literal is not closed on its line

def f = "abc
