-- A function applied to each element, as in Julia.
-- at 6
-- ==
-- error: for each element write "map f64\.sin xs"

def f (xs: []f64) = sin.(xs)
