-- A function as a field of an array.
-- at 6
-- ==
-- error: a function stands before its arguments: "map

def f (xs: []i32) = xs.map (+ 1)
