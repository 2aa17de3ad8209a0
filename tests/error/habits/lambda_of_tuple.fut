-- A lambda of a tuple for map2.
-- at 6
-- ==
-- error: gives the function its arguments one by one: "\\x y ->

def f [n] (xs: [n]f64) (ys: [n]f64) = map2 (\(x, y) -> x + y) xs ys
