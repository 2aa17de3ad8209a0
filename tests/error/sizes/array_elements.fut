-- Rows of an array have one size.
-- ==
-- error: Sizes .* do not match
def f = [[1i32], [2, 3]]
