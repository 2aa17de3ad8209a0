-- A projection of a field that is not there.
-- at 6
-- ==
-- error: Cannot unify record|Unknown field|field

def f (r: {a: i32}) = r.b
