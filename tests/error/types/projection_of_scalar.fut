-- A number has no fields.
-- at 6
-- ==
-- error: Unknown field "a".*with type i32

def f (x: i32) = x.a
