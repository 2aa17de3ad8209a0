-- A comprehension of Haskell.
-- at 6
-- ==
-- error: a function is applied to each element by "map \(\\x -> x \* 2\) xs"\.

def f (xs: []f64) = [x * 2 | x <- xs]
