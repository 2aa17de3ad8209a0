-- A string literal followed by a bracket is an application.
-- at 6
-- ==
-- error: Cannot apply expression as function, as it has non-function type

def f = "abc"[1]
