-- Slice bounds must be i64.
-- at 6
-- ==
-- error: Slice bounds must be of type i64

def f (xs: []i32) (i: i32) = xs[i:]
