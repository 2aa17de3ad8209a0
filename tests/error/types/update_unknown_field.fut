-- An update of a field that is not there.
-- at 6
-- ==
-- error: field|Cannot unify

def f (r: {a: i32}) = r with b = 1i32
