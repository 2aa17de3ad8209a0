-- A string literal followed by a bracket is an application.
-- at 6
-- ==
-- error: Cannot apply

def f = "abc"[1]
