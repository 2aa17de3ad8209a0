-- Product without transpose.
-- at 7
-- ==
-- error: "b" has type \[m\]\[p\]f64.*rows of "transpose b"

def inner [n] (xs: [n]f64) (ys: [n]f64) = f64.sum (map2 (*) xs ys)
def matmul [n][m][p] (a: [n][m]f64) (b: [m][p]f64) = map (\r -> map (\c -> inner r c) b) a
