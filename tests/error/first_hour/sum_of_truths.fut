-- A sum of truth values.
-- at 6
-- ==
-- error: use i64\.bool to convert each element, by "map"\.

def f (xs: []f64) = i64.sum (map (> 0) xs)
