-- Reduce without neutral.
-- at 6
-- ==
-- error: the neutral element is missing: "reduce \(\+\) ne xs"

def f (xs: []f64) = reduce (+) xs
