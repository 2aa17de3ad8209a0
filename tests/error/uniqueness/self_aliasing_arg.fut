-- The components of a consumed tuple share memory.
-- at 7
-- ==
-- error: Argument passed for consuming parameter is self-aliased

def eat (p: *([]i64, []i64)) : i64 = p.0[0]
def f (v: *[]i64) : i64 = eat (v, v)
