-- Type parameters have no equality.
-- at 6
-- ==
-- error: equality

def f 'a (x: a) (y: a) = x == y
