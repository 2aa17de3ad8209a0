-- A function of a number, of an array.
-- at 6
-- ==
-- error: for each element write "map f64.exp a"

def f (a: []f64) = f64.exp a
