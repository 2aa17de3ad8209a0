-- Matmul.
-- at 6
-- ==
-- error: a matrix product is

def f (a: [][]f64) (b: [][]f64) = matmul a b
