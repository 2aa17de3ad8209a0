-- A loop as a function.
-- at 6
-- ==
-- error: "map f xs" applies f to each element

def f (xs: []f64) = foreach (\x -> x) xs
