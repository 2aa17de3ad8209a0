-- Triples for unzip.
-- at 6
-- ==
-- error: "unzip3" is for tuples of 3

def f [n] (xs: [n](f64, f64, f64)) = unzip xs
