-- A unique component of the result is an ordinary parameter.
-- at 6
-- ==
-- error: Unique-typed return value is aliased to "v", which is not consumable

def f (v: []i64) : (i32, *[]i64) = (1, v)
