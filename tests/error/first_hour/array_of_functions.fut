-- An array of functions.
-- at 6
-- ==
-- error: arrays have no functions as elements; a number or a sum type may say which one to

def f (gs: []f64) = [f64.sin, f64.cos]
