-- An index must be signed.
-- at 6
-- ==
-- error: Cannot

def f (xs: []i32) = xs[0u8]
