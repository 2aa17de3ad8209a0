-- The brackets of an array type around.
-- at 6
-- ==
-- error: the type of an array is written "\[\]t"

def f (xs: [i32]) = xs
