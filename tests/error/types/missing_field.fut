-- A projection of a field that is not there.
-- at 6
-- ==
-- error: Cannot unify record type with fields .b: .* with record type .a: i32

def f (r: {a: i32}) = r.b
