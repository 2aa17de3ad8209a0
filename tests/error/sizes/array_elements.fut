-- Rows of an array have one size.
-- ==
-- error: Sizes "1" and "2" do not match
def f = [[1i32], [2, 3]]
