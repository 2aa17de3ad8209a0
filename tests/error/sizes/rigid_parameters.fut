-- Explicit size parameters are not identified.
-- ==
-- error: Sizes "n" and "m" do not match
def f [n][m] (xs: [n]i32) (ys: [m]i32) = zip xs ys
