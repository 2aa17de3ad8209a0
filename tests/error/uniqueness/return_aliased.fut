-- A unique result shares memory with a parameter.
-- at 6
-- ==
-- error: Unique-typed return value is aliased to "v", which is not consumable

def f (v: []i64) : *[]i64 = v
