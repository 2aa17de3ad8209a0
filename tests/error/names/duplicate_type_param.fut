-- Two type parameters of one name.
-- at 6
-- ==
-- error: Type parameter "a" previously defined at

def f 'a 'a (x: a) = x
