-- An ascription does not change a size.
-- at 6
-- ==
-- error: Sizes "m" and "n" do not match

def f [n] [m] (xs: [n]i32) (_ys: [m]i32) = xs : [m]i32
