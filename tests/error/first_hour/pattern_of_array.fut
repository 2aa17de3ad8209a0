-- A pattern of a tuple for an array.
-- at 6
-- ==
-- error: arrays have no patterns; use "xs\[0\]", "xs\[1\]"\.

def f (xs: [2]f64) = let (a, b) = xs in a
