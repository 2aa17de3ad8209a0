-- The return type names an inner component of a parameter.
-- at 6
-- ==
-- error: refers to the name "a" which is bound to an inner component

def e7 ((a, b): (i64, i64)) : [a]i64 = iota a
