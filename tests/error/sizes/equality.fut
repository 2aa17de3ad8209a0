-- Arrays of different sizes are not compared.
-- ==
-- error: Sizes "2" and "3" do not match
def f (xs: [2]i32) (ys: [3]i32) = xs == ys
