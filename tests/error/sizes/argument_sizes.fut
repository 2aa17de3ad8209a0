-- Arguments of different sizes.
-- at 6
-- ==
-- error: Cannot apply "zip" to "ys" .invalid type..*Sizes "n" and "m" do not match

def f [n] [m] (xs: [n]i32) (ys: [m]i32) = zip xs ys
