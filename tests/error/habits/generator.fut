-- A generator.
-- at 6
-- ==
-- error: a function is applied to each element by "map

def f (xs: []f64) = sum(x * x for x in xs)
