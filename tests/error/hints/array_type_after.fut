-- The brackets of an array type behind.
-- at 6
-- ==
-- error: the type of an array is written "\[\]i32"

def f (xs: i32[]) = xs
