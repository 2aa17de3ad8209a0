-- A type parameter, as Julia writes it.
-- at 6
-- ==
-- error: a type parameter is declared after the name: "def f 'T \(x: T\) = \.\.\."\.

def f (x: T) where T = x
