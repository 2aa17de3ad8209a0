-- An abbreviation must have all of its arguments.
-- at 7
-- ==
-- error: Type constructor "t" used without any arguments

type t 'a = (a, a)
def f (x: t) = x
