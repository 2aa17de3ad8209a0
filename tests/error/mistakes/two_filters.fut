-- Two filters.
-- at 6
-- ==
-- error: "d" is unknown size of what is returned by "filter" at .*"d2" is unknown size of what is returned by "filter" at

entry main (xs: []f64) = zip (filter (> 0) xs) (filter (< 0) xs)
