-- The start before the function.
-- at 6
-- ==
-- error: the function comes first: "foldl \(\+\) 0 \.\.\."\.

def f (a: []f64) = foldl 0 (+) a
