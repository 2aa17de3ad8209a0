-- An abbreviation without parameters takes no arguments.
-- at 7
-- ==
-- error: Type constructor "t" requires 0 arguments, but provided 1

type t = i32
def f (x: t i32) = x
