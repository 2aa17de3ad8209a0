-- An ascription in an index needs parentheses.
-- at 6
-- ==
-- error: Unexpected ":"

def f (xs: []i32) (i: i64) = xs[i : i64 : i64 : i64]
