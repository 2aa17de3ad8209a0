-- What map makes of an unknown size has that size.
-- at 6
-- ==
-- error: Causality

entry main [n] (xs: [n]i32) (yss: [][]i32) = map ((map (+ 1) (filter (> 0) xs)) ++) yss
