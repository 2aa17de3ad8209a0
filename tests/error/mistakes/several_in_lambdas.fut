-- Several in lambdas.
-- at 6
-- ==
-- error: Unknown name "u".*Unknown name "v"

def f (xs: []i32) = map (\x -> x + u) (map (\x -> x * v) xs)
