-- Two type parameters of one name.
-- at 6
-- ==
-- error: Type parameter "a" also bound at

def f 'a 'a (x: a) = x
