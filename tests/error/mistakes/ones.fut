-- Ones.
-- at 6
-- ==
-- error: "replicate n 1" is an array of n ones

def f (n: i64) = ones n
