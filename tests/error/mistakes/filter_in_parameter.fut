-- Filter in parameter.
-- at 6
-- ==
-- error: Unknown size "d" in parameter of "main".*"d" is unknown size of what is returned by "filter" at

entry main (xs: []f64) (ys: []f64) = map2 (+) (filter (> 0) xs) ys
