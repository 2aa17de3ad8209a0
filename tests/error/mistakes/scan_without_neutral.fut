-- Scan without neutral.
-- at 6
-- ==
-- error: the neutral element is missing: "scan \(\+\) ne xs"

def f (xs: []f64) = scan (+) xs
