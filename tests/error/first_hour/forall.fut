-- A type for all types.
-- at 6
-- ==
-- error: a type parameter is declared after the name: "def f 'a \(x: a\) = \.\.\."\.

def f : forall a. a -> a = \x -> x
