-- A function mapped over a matrix.
-- at 6
-- ==
-- error: the elements are rows: "map \(map f64.exp\) a"

def f (a: [][]f64) = map f64.exp a
