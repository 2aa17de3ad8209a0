-- An index must be signed.
-- at 6
-- ==
-- error: Index must be of a signed integer type

def f (xs: []i32) = xs[0u8]
