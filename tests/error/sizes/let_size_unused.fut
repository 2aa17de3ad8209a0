-- A size bound by let must be a size of the pattern.
-- ==
-- error: Size \[m\] unused in pattern
def f [n] (xs: [n]i32) = let [m] (_: []i32) = xs in m
