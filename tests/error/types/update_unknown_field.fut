-- An update of a field that is not there.
-- at 6
-- ==
-- error: Unknown field "b".*Cannot unify record type with fields

def f (r: {a: i32}) = r with b = 1i32
