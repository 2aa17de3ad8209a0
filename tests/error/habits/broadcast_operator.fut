-- An operator for each element, as in Julia.
-- at 6
-- ==
-- error: for two arrays "map2 \(\+\) xs ys"

def f (xs: []f64) (ys: []f64) = xs .+ ys
