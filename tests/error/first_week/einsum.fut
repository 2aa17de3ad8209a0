-- Sums over indices.
-- at 6
-- ==
-- error: a sum over an index is "f64\.sum \(map2 \(\*\) xs ys\)", inside of "map" for the other indices\.

def f [n] (a: [n][n]f64) (b: [n][n]f64) = einsum "ij,jk->ik" a b
