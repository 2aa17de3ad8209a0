-- Python comprehension.
-- at 6
-- ==
-- error: map \(\\x -> ...\) xs

def f (xs: []i32) = [x * 2 for x in xs]
