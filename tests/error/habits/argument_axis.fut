-- The axis of a sum.
-- at 6
-- ==
-- error: arguments have no names; "map f xss" applies f to each row

def f (a: [][]f64) = f64.sum a axis=0
