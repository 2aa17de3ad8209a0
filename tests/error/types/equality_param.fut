-- Type parameters have no equality.
-- at 6
-- ==
-- error: Comparing equality of values of type a which does not support equality

def f 'a (x: a) (y: a) = x == y
