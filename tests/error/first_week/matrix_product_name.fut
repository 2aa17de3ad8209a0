-- A matrix product, as PyTorch calls it.
-- at 6
-- ==
-- error: a matrix product is "map \(\\a -> map \(\\b -> f64\.sum \(map2 \(\*\) a b\)\) \(transpose bss\)\) ass"\.

def f [n] (a: [n][n]f64) (b: [n][n]f64) = mm a b
