-- Map iota.
-- at 6
-- ==
-- error: instantiated with a type containing anonymous sizes

def f (ns: []i64) = map iota ns
