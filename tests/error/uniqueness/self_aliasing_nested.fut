-- Components that share memory, further inside.
-- at 7
-- ==
-- error: Argument passed for consuming parameter is self-aliased

def eat (p: *(([]i64, []i64), i32)) = p.0.0[0]
def f (v: *[]i64) = eat ((v, v), 1)
