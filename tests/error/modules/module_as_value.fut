-- A module is not a value.
-- at 7
-- ==
-- error: Unknown name "m".*there is a module of this name

module m = {def x = 1i32}
def f = m
