-- Map iota.
-- at 6
-- ==
-- error: instantiated with a type containing anonymous sizes.*all elements of an array have the same size

def f (ns: []i64) = map iota ns
