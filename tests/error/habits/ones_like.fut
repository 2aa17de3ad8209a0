-- An array of ones.
-- at 6
-- ==
-- error: "map \(const 1\) xs" has as many ones

def f (xs: []f64) = ones_like xs
