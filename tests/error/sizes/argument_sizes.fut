-- Arguments of different sizes.
-- at 6
-- ==
-- error: Cannot apply "zip.*" to ".*" .invalid type.|do not match

def f [n] [m] (xs: [n]i32) (ys: [m]i32) = zip xs ys
