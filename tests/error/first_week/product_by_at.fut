-- A matrix product, as Python writes it.
-- at 6
-- ==
-- error: a matrix product is "map \(\\r -> map \(\\c -> f64\.sum \(map2 \(\*\) r c\)\) \(transpose b\)\) a"\.

def f [n] (a: [n][n]f64) (b: [n][n]f64) = a @ b
