-- Matrices multiplied element by element.
-- at 6
-- ==
-- error: operators work on single values\.  For each element of a matrix write "map \(map \(\\x

def f (a: [][]f64) (b: [][]f64) = a * b
