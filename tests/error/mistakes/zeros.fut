-- Zeros.
-- at 6
-- ==
-- error: "replicate n 0" is an array of n zeros

def f (n: i64) = zeros n
