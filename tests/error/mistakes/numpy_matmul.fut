-- The operator @.
-- at 6
-- ==
-- error: a matrix product is "map

def f (a: [3][3]f64) (b: [3][3]f64) = a @ b
