-- The field T of an array.
-- at 6
-- ==
-- error: "transpose xss" exchanges rows and columns

def f (m: [][]f64) = m.T
