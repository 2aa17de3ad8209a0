-- A function without a name, with another arrow.
-- at 6
-- ==
-- error: an anonymous function is written

def f (xs: []i32) = map (x => x + 1) xs
