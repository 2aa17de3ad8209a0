-- The field shape of an array.
-- at 6
-- ==
-- error: the outer size is "length xs"

def f (m: [][]f64) = m.shape
