-- A sum of arrays.
-- at 6
-- ==
-- error: map2 \(\+\) xs ys

def f [n] (xs: [n]f64) (ys: [n]f64) = xs + ys
