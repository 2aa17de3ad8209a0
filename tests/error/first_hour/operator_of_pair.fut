-- An operator that takes a pair.
-- at 6
-- ==
-- error: "scan" gives the function its arguments one by one: "\\acc x -> \.\.\."\.

def f (xs: []f64) = scan (\(acc, x) -> acc + x) 0 xs
