-- The parameters of a lambda with commas.
-- at 6
-- ==
-- error: parameters are separated by spaces, without commas

def f [n] (xs: [n]f64) (ys: [n]f64) = map (\x, y -> x + y) xs ys
