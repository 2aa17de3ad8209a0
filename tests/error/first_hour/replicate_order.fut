-- The number of copies last.
-- at 6
-- ==
-- error: the number of elements comes first: "replicate n 0\.0"\.

def f (n: i64) = replicate 0.0 n
