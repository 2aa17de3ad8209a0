-- The size of a mapped result depends on the element.
-- at 6
-- ==
-- error: scope violation

def f [n] (xs: [n]i64) = map (\x -> iota x) xs
