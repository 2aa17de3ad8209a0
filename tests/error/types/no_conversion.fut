-- There are no implicit conversions.
-- at 6
-- ==
-- error: Function body does not have expected type|Cannot unify

def f (x: i32) : i64 = x
