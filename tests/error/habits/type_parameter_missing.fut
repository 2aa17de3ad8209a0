-- A type parameter that is not declared.
-- at 6
-- ==
-- error: a type parameter is declared after the name: "def f 'a

def f (x: a) : a = x
