-- An update keeps the sizes of rows.
-- ==
-- error: Sizes "3" and "2" do not match
def f [n] (a: *[n][3]i32) = a with [0] = [1, 2]
