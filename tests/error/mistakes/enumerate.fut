-- Enumerate.
-- at 6
-- ==
-- error: "zip \(indices xs\) xs"

def f (xs: []f64) = enumerate xs
