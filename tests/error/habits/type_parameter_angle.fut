-- A type parameter in angle brackets.
-- at 6
-- ==
-- error: a type parameter is declared after the name

def f<T>(x: T) = x
