-- Two unique components share memory.
-- at 6
-- ==
-- error: A unique-typed component of the return value is aliased to some other component

def f (v: *[]i64) : (*[]i64, *[]i64) = (v, v)
