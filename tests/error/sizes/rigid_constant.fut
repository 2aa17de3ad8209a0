-- An explicit size parameter is not a constant.
-- ==
-- error: Sizes "3" and "n" do not match
def f [n] (xs: [n]i32) : [3]i32 = xs
