-- A matrix of zeros by its shape.
-- at 6
-- ==
-- error: "replicate n \(replicate m 0\)" a matrix

def f (n: i64) : [][]f64 = np.zeros((n, n))
