-- There are no implicit conversions.
-- at 6
-- ==
-- error: Function body does not have expected type.*Hint: use i64.i32 to convert

def f (x: i32) : i64 = x
