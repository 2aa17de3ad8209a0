-- A function without a name, with a dot.
-- at 6
-- ==
-- error: a function without a name is written

def f (xs: []i32) = map (\x. x + 1) xs
