-- A function of each element, with a dot.
-- at 6
-- ==
-- error: "map f64\.sin xs" applies it to each element

def f (xs: []f64) = f64.sin.(xs)
