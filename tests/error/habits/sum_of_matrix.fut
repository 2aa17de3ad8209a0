-- A sum of a matrix.
-- at 6
-- ==
-- error: for all elements "f64.sum \(flatten a\)"

def f (a: [][]f64) = f64.sum a
