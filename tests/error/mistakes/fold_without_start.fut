-- Fold without start.
-- at 6
-- ==
-- error: the start value is missing

def f (xs: []f64) = foldl (+) xs
