-- Nothing to transpose.
-- at 6
-- ==
-- error: an array of one dimension has no rows to exchange; as a column it is "map \(\\x -> \[x\]\) xs"\.

def f (xs: []f64) = transpose xs
